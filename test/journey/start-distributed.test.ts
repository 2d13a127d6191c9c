/**
 * The distributed composition started by its npm script, with two of each process, over the servers of the test run.
 */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { foldersIn } from '../../deploy/local/folders.js';
import { expectNoNodeWarning } from '../support/checks/node-warnings.js';
import { until } from '../support/checks/until.js';
import { createHttpCaller } from '../support/clients/http-caller.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { startChild } from '../support/processes/child-process.js';
import { localServerVariables } from '../support/servers/local-servers.js';
import { openEmptyNeo4j } from '../support/servers/neo4j.js';

const PROCESSES = [
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
      // Its graph belongs to the journal of an earlier test.
      await (await openEmptyNeo4j()).close();
    });
    after(() => folder.remove());

    /** Runs `npm run local`; with `foreground` it is `npm run start:distributed`. */
    function local(...mainArguments: readonly string[]) {
      const variables = { ...localServerVariables(), LOCAL_INSTANCES: '2', EMBEDDING_PROVIDER: 'bundled' };
      return startChild({ main: 'deploy/local/main.js', arguments: mainArguments, folder: folder.path, variables });
    }

    it('serves behind its gateway until SIGTERM and stops all', async () => {
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
        await until('the memory is recalled by meaning', async () => {
          const { body } = await request('GET', '/recall?query=feeding+a+young+cat&tags=start-distributed');
          return body.results?.[0]?.match_type === 'semantic';
        });
        expect((await request('DELETE', `/memory/${stored.body.memory_id}`)).status).to.equal(200);
      } finally {
        expect(await service.stop('SIGTERM'), service.output()).to.equal(0);
      }
      const status = local('status');
      await status.ended;
      for (const name of PROCESSES.filter((name) => !name.endsWith('-2')))
        expect(status.output()).to.match(new RegExp(`^${name} +stopped`, 'mu'));
      for (const name of ['neo4j', 'kafka', 'postgres', 'qdrant'])
        expect(status.output(), 'still runs').to.match(new RegExp(`^${name} +healthy`, 'mu'));
    });

    it('starts processes that Node warns about nothing', async () => {
      const folders = foldersIn(localServerVariables().LOCAL_DIR);
      for (const name of PROCESSES) expectNoNodeWarning(await readFile(folders.log(name), 'utf8'));
    });
  });
