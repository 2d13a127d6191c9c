/** `kill -9` with hundreds of acknowledged memories that nobody has indexed or enriched yet: the next life does what the last one left. */
import { expect } from 'chai';
import { startChildService } from '../support/child-service.js';
import { CAUGHT_UP_MS, MEANINGS, meaningsAreFound, storeMeanings } from '../support/meanings.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

const TAG = 'killed';

describe('the service killed with its background work undone', function () {
  this.timeout(CAUGHT_UP_MS + 60_000);
  let folder: TempFolder;
  before(async () => {
    folder = await createTempFolder();
  });
  after(() => folder.remove());

  it(`finds all of ${MEANINGS} acknowledged memories by their own meaning and has them enriched, within ${CAUGHT_UP_MS / 1_000} s of its next start`, async () => {
    const killed = await startChildService({ dataFolder: folder.path });
    const meanings = await storeMeanings(killed, TAG);
    expect(await killed.stop('SIGKILL')).to.equal('SIGKILL');

    const begin = performance.now();
    const service = await startChildService({ dataFolder: folder.path });
    try {
      const { body } = await service.request('GET', '/enrichment/status');
      expect(body.pending, 'what the kill left undone').to.be.greaterThan(0);
      await meaningsAreFound(service, meanings, { tag: TAG, deadlineMs: CAUGHT_UP_MS - (performance.now() - begin) });
      process.stdout.write(
        `        all ${MEANINGS} found and enriched ${Math.round(performance.now() - begin)} ms after the start\n`,
      );
    } finally {
      await service.stop('SIGTERM');
    }
  });
});
