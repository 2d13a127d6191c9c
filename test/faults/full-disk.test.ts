/**
 * A full disk: writes answer 503, each acknowledged write is kept, and reads still work. The test limits the file size
 * with `ulimit`, which needs no special rights and no separate disk.
 */
import { expect } from 'chai';
import { differencesOfFolder } from '../support/checks/compare-deployment.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { expectAlerts } from '../support/observability/expect-alerts.js';
import { readMetrics, recordFigures } from '../support/observability/figure-record.js';
import { startChildService } from '../support/processes/child-service.js';
import { freePort } from '../support/processes/free-port.js';

/** Supplied, so that the test does not wait for the encoder. */
const VECTOR = Array.from({ length: 384 }, (_, index) => (index === 7 ? 1 : 0));

describe('the service on a full disk', function () {
  let folder: TempFolder;
  let metricsPort: number;
  const figures = recordFigures(() => [{ instance: 'embedded', read: () => readMetrics(metricsPort) }]);
  beforeEach(async () => {
    folder = await createTempFolder();
  });
  afterEach(() => folder.remove());

  it('rejects stores with 503 and keeps each acknowledged memory', async () => {
    const acknowledged: string[] = [];
    metricsPort = await freePort();
    const variables = { METRICS_PORT: String(metricsPort) };
    const starved = await startChildService({ dataFolder: folder.path, fileLimitKib: 3 * 1024, variables });
    await figures.before();
    let refused = 0;
    for (let index = 0; index < 2_000 && refused < 3; index += 1) {
      const answer = await starved.request('POST', '/memory', {
        body: { content: `${index} ${'many words '.repeat(150)}`, tags: ['disk'], embedding: VECTOR },
      });
      if (answer.status === 201) acknowledged.push(answer.body.memory_id);
      else {
        refused += 1;
        await figures.during();
        expect(answer.status).to.equal(503);
        expect(answer.body.message).to.match(/Storage is full/u);
      }
    }
    expect(refused).to.equal(3);
    expect(acknowledged).to.not.be.empty;
    expect((await starved.request('GET', `/memory/${acknowledged[0]}`)).status).to.equal(200);
    const ready = await starved.request('GET', '/readyz');
    expect(ready.status).to.equal(503);
    expect(ready.body.message).to.match(/Storage is full/u);
    const health = await starved.request('GET', '/health');
    expect(health.body.status).to.equal('degraded');
    expect(health.body.problems.join()).to.match(/Storage is full/u);
    await starved.stop('SIGTERM');

    const roomy = await startChildService({ dataFolder: folder.path });
    expect((await roomy.request('GET', '/readyz')).status).to.equal(200);
    const listed = new Set<string>();
    for (let more = true; more;) {
      const page = await roomy.request('GET', `/memory/by-tag?tags=disk&limit=200&offset=${listed.size}`);
      page.body.memories.forEach((memory: { id: string }) => listed.add(memory.id));
      more = page.body.has_more;
    }
    expect(await differencesOfFolder(folder.path)).to.deep.equal([]);
    await roomy.stop('SIGTERM');
    expect([...listed].sort()).to.deep.equal([...acknowledged].sort());
  });

  it('fires the alert of refused writes', async function () {
    await expectAlerts(this, figures, ['PalimpsestWritesRefused']);
  });
});
