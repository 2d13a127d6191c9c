/**
 * Kills the service (SIGKILL) with 300 acknowledged memories that are not yet indexed or enriched. The next start
 * finishes the work.
 */
import { expect } from 'chai';
import { differencesOfFolder } from '../support/checks/compare-deployment.js';
import { CAUGHT_UP_MS, expectMeaningsRecalled, MEANING_COUNT, storeMeanings } from '../support/fixtures/meanings.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { startChildService } from '../support/processes/child-service.js';

const TAG = 'killed';

describe('the killed service', function () {
  this.timeout(CAUGHT_UP_MS + 60_000);
  let folder: TempFolder;
  before(async () => {
    folder = await createTempFolder();
  });
  after(() => folder.remove());

  it(`enriches and indexes ${MEANING_COUNT} memories within ${CAUGHT_UP_MS / 1_000} s of a restart`, async () => {
    const killed = await startChildService({ dataFolder: folder.path });
    const meanings = await storeMeanings(killed, TAG);
    expect(await killed.stop('SIGKILL')).to.equal('SIGKILL');

    const begin = performance.now();
    const service = await startChildService({ dataFolder: folder.path });
    try {
      const { body } = await service.request('GET', '/enrichment/status');
      expect(body.pending, 'memories to enrich after the kill').to.be.greaterThan(0);
      await expectMeaningsRecalled(service, meanings, {
        tag: TAG,
        deadlineMs: CAUGHT_UP_MS - (performance.now() - begin),
      });
      process.stdout.write(
        `        all ${MEANING_COUNT} recalled and enriched ${Math.round(performance.now() - begin)} ms after the start\n`,
      );
      expect(await differencesOfFolder(folder.path)).to.deep.equal([]);
    } finally {
      await service.stop('SIGTERM');
    }
  });
});
