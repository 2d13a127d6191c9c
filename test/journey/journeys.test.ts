import { COMPOSITIONS } from '../support/adapters/compositions.js';
import { journeys } from './journeys.js';

/** Long enough to start a fleet on a busy machine. */

for (const { name, openDataLocation } of COMPOSITIONS) {
  describe(`${name} journeys`, () => {
    journeys(openDataLocation);
  });
}
