/** The distributed composition as a person starts it, two of each process, over the servers of the test run. */
import { expect } from 'chai';
import { startChild } from '../support/child-process.js';
import { createHttpCaller } from '../support/http-caller.js';
import { localServerVariables } from '../support/local-servers.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const OURS = [
  'command-api',
  'command-api-2',
  'relay',
  'relay-2',
  'projectors',
  'projectors-2',
  'query-api',
  'query-api-2',
  'gateway',
];

if (process.env['PALIMPSEST_TEST_SERVERS'] === 'local')
  describe('npm run start:distributed', function () {
    this.timeout(300_000);
    let folder: TempFolder;
    before(async () => {
      folder = await createTempFolder();
    });
    after(() => folder.remove());

    /** `npm run local`, or with `foreground` what `npm run start:distributed` is. */
    function local(...line: readonly string[]) {
      const variables = { ...localServerVariables(), LOCAL_INSTANCES: '2', EMBEDDING_PROVIDER: 'bundled' };
      return startChild({ main: 'deploy/local/main.js', arguments: line, folder: folder.path, variables });
    }

    it('serves the contract behind its gateway until it is told to stop, and then stops what it started', async () => {
      const service = local('foreground');
      try {
        const [, url] = await service.prints(/Palimpsest listens on (http:\S+?):? /u);
        const { request } = createHttpCaller(url ?? '');
        const stored = await request('POST', '/memory', {
          body: { content: 'The kitten only eats tuna', tags: ['start-distributed'] },
        });
        expect(stored.status).to.equal(201);
        expect((await request('GET', `/memory/${stored.body.memory_id}`)).body.memory.content).to.equal(
          'The kitten only eats tuna',
        );
        await until(
          'it is found by meaning',
          async () => {
            const { body } = await request('GET', '/recall?query=feeding+a+young+cat&tags=start-distributed');
            return body.results?.[0]?.match_type === 'semantic';
          },
          60_000,
        );
        expect((await request('DELETE', `/memory/${stored.body.memory_id}`)).status).to.equal(200);
      } finally {
        expect(await service.stop('SIGTERM'), service.output()).to.equal(0);
      }
      const status = local('status');
      await status.ended;
      for (const name of OURS.filter((name) => !name.endsWith('-2')))
        expect(status.output()).to.match(new RegExp(`^${name} +stopped`, 'mu'));
      for (const name of ['neo4j', 'kafka', 'postgres', 'qdrant'])
        expect(status.output(), 'ran before').to.match(new RegExp(`^${name} +healthy`, 'mu'));
    });
  });
