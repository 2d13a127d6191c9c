import { expect } from 'chai';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';

const ID = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';

describe('parseMemoryId', () => {
  const spellings = [ID, ID.toUpperCase(), ID.replaceAll('-', ''), `{${ID}}`, `urn:uuid:${ID}`];
  for (const spelling of spellings) {
    it(`reads ${spelling}`, () => {
      expect(parseMemoryId(spelling)).to.equal(ID);
    });
  }

  for (const text of ['', 'batch', ID.slice(1), `${ID}0`, ID.replace('a', 'g'), ` ${ID}`]) {
    it(`rejects ${JSON.stringify(text)}`, () => {
      expect(parseMemoryId(text)).to.equal(null);
    });
  }
});
