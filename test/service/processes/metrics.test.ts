/** `GET /metrics` of the embedded service and of each process of the distributed composition, which serves it while it waits for its servers. */
import { expect } from 'chai';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';
import { type ChildService, runChildService, startChildService } from '../../support/processes/child-service.js';
import { freePort } from '../../support/processes/free-port.js';

const WORD = 'zanzibar';

describe('metrics', function () {
  this.timeout(30_000);
  let folder: TempFolder;
  before(async () => (folder = await createTempFolder()));
  after(() => folder.remove());

  describe('of the embedded service', () => {
    let service: ChildService;
    let port: number;
    before(async () => {
      port = await freePort();
      service = await startChildService({ dataFolder: folder.path, variables: { METRICS_PORT: String(port) } });
    });
    after(() => service.stop('SIGTERM'));

    const scrape = (path = '/metrics', method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });

    it('count requests by operation and status, and the stages of recalls', async () => {
      const stored = await service.request('POST', '/memory', { body: { content: `A house in ${WORD}` } });
      await service.request('GET', `/recall?query=${WORD}`);
      await service.request('GET', '/memory/not-an-id');
      await service.request('GET', `/${WORD}`);
      const response = await scrape();
      const text = await response.text();
      expect(response.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/u);
      const counted = (labels: string): boolean =>
        text.includes(`palimpsest_request_duration_seconds_count{${labels}} 1\n`);
      expect(counted('operation="storeMemory",status="201"'), text).to.equal(true);
      expect(counted('operation="recall",status="200"'), text).to.equal(true);
      expect(counted('operation="getMemory",status="400"'), text).to.equal(true);
      expect(counted('operation="none",status="404"'), text).to.equal(true);
      for (const stage of ['retrieve', 'encode', 'hydrate', 'score'])
        expect(text).to.contain(`palimpsest_recall_stage_duration_seconds_count{stage="${stage}"} 1\n`);
      expect(text).to.not.contain(WORD);
      expect(text).to.not.contain(stored.body.memory_id);
    });

    it('are the only page of their port', async () => {
      expect((await scrape('/health')).status).to.equal(404);
      const posted = await scrape('/metrics', 'POST');
      expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
      expect((await scrape('/metrics?name[]=x', 'HEAD')).status).to.equal(200);
    });

    it('are not on the port of the API', async () => {
      expect((await service.request('GET', '/metrics')).status).to.equal(404);
    });

    it('refuse a port that is taken, by the name of its variable', async () => {
      const other = await createTempFolder();
      const { exitCode, output } = await runChildService({
        dataFolder: other.path,
        variables: { METRICS_PORT: String(port) },
      });
      await other.remove();
      expect(exitCode).to.equal(1);
      expect(output).to.contain(`METRICS_PORT ${port} is in use by another process`);
    });
  });

  for (const name of ['command-api', 'command-api/relay', 'query-api', 'projectors']) {
    it(`are served while its servers are down: ${name}`, async () => {
      const [port, unused] = [await freePort(), await freePort()];
      const child = startChild({
        main: `${name}/main.js`,
        folder: folder.path,
        variables: {
          PORT: '0',
          METRICS_PORT: String(port),
          LOG_LEVEL: 'info',
          INTERNAL_API_TOKEN: 'internal',
          POSTGRES_URL: `postgres://user:secret@127.0.0.1:${unused}/memories`,
          NEO4J_URL: `bolt://127.0.0.1:${unused}`,
          NEO4J_PASSWORD: 'secret',
          KAFKA_BROKERS: `127.0.0.1:${unused}`,
          QDRANT_URL: `http://127.0.0.1:${unused}`,
        },
      });
      try {
        await child.prints(/cannot be used yet/u);
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        expect(text).to.contain(`palimpsest_build_info{service="${name.split('/').at(-1)}"`);
      } finally {
        await child.stop('SIGTERM');
      }
    });
  }
});
