import { COMPOSITIONS } from '../support/compositions.js';
import { journeys } from './journeys.js';

for (const { name, openPlace } of COMPOSITIONS) {
  describe(`journeys through the ${name} service`, () => journeys(openPlace));
}
