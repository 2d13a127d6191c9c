import { expect } from 'chai';
import {
  countOf,
  createPostingLists,
  postingOf,
  slotOf,
} from '../../../../../../../shared/engines/sqlite/graph/searching/words/posting-lists.js';
import { seededRandom } from '../../../../../../support/fixtures/random.js';

const LISTS = 30;
const SLOTS = 3_000;

describe('posting lists', () => {
  it('count the occurrences of each slot while several lists grow', () => {
    const random = seededRandom(1);
    const lists = createPostingLists();
    const numbers = Array.from({ length: LISTS }, () => lists.open());
    const plain = numbers.map(() => new Map<number, number>());
    for (let slot = 0; slot < SLOTS; slot += 1) {
      for (let words = random.below(6); words > 0; words -= 1) {
        // Some lists are long and some short.
        const list = Math.floor(LISTS * random.next() ** 3);
        lists.post(list, slot);
        plain[list]?.set(slot, (plain[list].get(slot) ?? 0) + 1);
      }
    }
    for (const list of numbers) {
      expect(Array.from(lists.read(list), (posting) => [slotOf(posting), countOf(posting)])).to.deep.equal([
        ...(plain[list] ?? []),
      ]);
    }
    expect(plain.every((each) => each.size > 0)).to.equal(true);
  });

  it('limit the count of a word that is repeated very often, and keep its slot', () => {
    const lists = createPostingLists();
    const list = lists.open();
    for (let time = 0; time < 1_000; time += 1) lists.post(list, 7);
    expect(Array.from(lists.read(list))).to.deep.equal([postingOf(7, 15)]);
  });

  it('append postings unchanged', () => {
    const lists = createPostingLists();
    const list = lists.open();
    const postings = Uint32Array.from({ length: 1_000 }, (_, slot) => postingOf(slot, (slot % 15) + 1));
    lists.append(list, postings);
    expect(lists.read(list)).to.deep.equal(postings);
  });

  it('are empty at first, also for slot 0', () => {
    const lists = createPostingLists();
    const list = lists.open();
    expect(lists.read(list)).to.have.length(0);
    lists.post(list, 0);
    expect(Array.from(lists.read(list))).to.deep.equal([postingOf(0, 1)]);
  });
});
