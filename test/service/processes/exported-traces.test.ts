/** The embedded service exports its spans by OTLP to a collector, or goes on without one. */
import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { openSpanCollector, type SpanCollector } from '../../support/observability/span-collector.js';
import { type ChildService, runChildService, startChildService } from '../../support/processes/child-service.js';
import { freePort } from '../../support/processes/free-port.js';

const WORD = 'zanzibar';
const EXPORT_SOON = { OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_EXPORTER_OTLP_TIMEOUT: '500' };
const STOP_LIMIT_MS = 8_000;

describe('exported traces', () => {
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
    let collector: SpanCollector;
    beforeEach(async () => (collector = await openSpanCollector()));
    afterEach(() => collector.close());

    const received = (text: string) => collector.exports().some(({ body }) => body.includes(text));

    it('go to /v1/traces as protobuf, without words of a caller', async () => {
      const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
      const { status, body } = await store(running);
      expect(status).to.equal(201);
      for (const name of ['storeMemory', 'commit group', 'project vector-indexer', 'project enricher'])
        await until(`the collector has ${name}`, () => received(name));
      expect(received('palimpsest-embedded')).to.equal(true);
      expect(received(WORD)).to.equal(false);
      expect(received(body.memory_id)).to.equal(false);
      for (const { path, type } of collector.exports())
        expect([path, type]).to.deep.equal(['/v1/traces', 'application/x-protobuf']);
    });

    it('have the name in .env, and are sent before the end', async () => {
      await writeFile(
        `${folder.path}/.env`,
        `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}\nOTEL_SERVICE_NAME=memories\n`,
      );
      const running = await start({ OTEL_BSP_SCHEDULE_DELAY: '60000' });
      await store(running);
      expect(await running.stop('SIGTERM')).to.equal(0);
      expect(received('storeMemory')).to.equal(true);
      expect([received('memories'), received('palimpsest-embedded')]).to.deep.equal([true, false]);
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
