import { COMPOSITIONS } from '../support/compositions.js';
import { journeys } from './journeys.js';

/** A fleet of processes starts within it, on a busy machine too. */
const TEST_LIMIT_MS = 120_000;

for (const { name, openPlace } of COMPOSITIONS) {
  describe(`journeys through the ${name} service`, function () {
    this.timeout(TEST_LIMIT_MS);
    journeys(openPlace);
  });
}
