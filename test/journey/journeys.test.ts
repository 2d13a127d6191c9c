import { COMPOSITIONS } from '../support/adapters/compositions.js';
import { journeys } from './journeys.js';

/** Long enough to start a fleet on a busy machine. */
const TEST_LIMIT_MS = 120_000;

for (const { name, openDataLocation } of COMPOSITIONS) {
  describe(`${name} journeys`, function () {
    this.timeout(TEST_LIMIT_MS);
    journeys(openDataLocation);
  });
}
