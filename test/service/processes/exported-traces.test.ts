/** The embedded service exports its spans by OTLP to a collector, or goes on without one. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type ChildService, runChildService, startChildService } from '../../support/processes/child-service.js';
import { freePort } from '../../support/processes/free-port.js';

const WORD = 'zanzibar';
const EXPORT_SOON = { OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_EXPORTER_OTLP_TIMEOUT: '500' };
const STOP_LIMIT_MS = 8_000;

describe('exported traces', function () {
  this.timeout(30_000);
  let folder: TempFolder;
  let service: ChildService | undefined;

  beforeEach(async () => (folder = await createTempFolder()));
  afterEach(async () => {
    await service?.stop('SIGKILL');
    service = undefined;
    await folder.remove();
  });

  const start = async (variables: Readonly<Record<string, string>>) =>
    (service = await startChildService({ dataFolder: folder.path, variables: { ...EXPORT_SOON, ...variables } }));
  const store = (to: ChildService, content = `A house in ${WORD}`) =>
    to.request('POST', '/memory', { body: { content } });

  describe('with a collector', () => {
    let collector: Server;
    let requests: { readonly path: string; readonly type: string; readonly body: Buffer }[];
    let endpoint: string;

    beforeEach(async () => {
      requests = [];
      collector = createServer((request, response) => {
        void buffer(request).then((body) => {
          requests.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '', body });
          response.end();
        });
      });
      await once(collector.listen(0, '127.0.0.1'), 'listening');
      endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    });
    afterEach(async () => {
      collector.closeAllConnections();
      collector.close();
      await once(collector, 'close');
    });

    const received = (text: string) => requests.some(({ body }) => body.includes(text));

    it('go to /v1/traces as protobuf, with names and no word of a caller', async () => {
      const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
      const { status, body } = await store(running);
      expect(status).to.equal(201);
      for (const name of ['storeMemory', 'commit group', 'project vector-indexer', 'project enricher'])
        await until(`the collector has ${name}`, () => received(name));
      expect(received('palimpsest-embedded')).to.equal(true);
      expect(received(WORD)).to.equal(false);
      expect(received(body.memory_id)).to.equal(false);
      for (const { path, type } of requests)
        expect([path, type]).to.deep.equal(['/v1/traces', 'application/x-protobuf']);
    });

    it('have the name in OTEL_SERVICE_NAME, also from a file', async () => {
      await writeFile(`${folder.path}/.env`, `OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}\nOTEL_SERVICE_NAME=memories\n`);
      await store(await start({}));
      await until('the collector has the span', () => received('storeMemory'));
      expect([received('memories'), received('palimpsest-embedded')]).to.deep.equal([true, false]);
    });

    it('are sent before the process ends', async () => {
      const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '60000' });
      await store(running);
      expect(await running.stop('SIGTERM')).to.equal(0);
      expect(received('storeMemory')).to.equal(true);
    });
  });

  it('are lost without a collector, with one warning, while writes go on', async () => {
    const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
    await store(running);
    await until('a warning', () => running.output().includes('spans were not exported'));
    for (const content of ['A second house', 'A third house'])
      expect((await store(running, content)).status).to.equal(201);
    const stopsAt = performance.now();
    expect(await running.stop('SIGTERM')).to.equal(0);
    expect(performance.now() - stopsAt).to.be.below(STOP_LIMIT_MS);
    expect(running.output().match(/"spans were not exported"/gu)).to.have.length(1);
  });

  it('stop the start when their protocol is not supported', async () => {
    const { exitCode, output } = await runChildService({
      dataFolder: folder.path,
      variables: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    });
    expect(exitCode).to.equal(1);
    expect(output).to.include('OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf');
  });
});
