/**
 * Recall by meaning finds what a long text says at its end, because the vector of a memory represents its whole text.
 * It finds a text of one token, too.
 */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';
import { store } from '../memories/memory-fixtures.js';

const CHARACTERS = 1_900;
/** Facts, each with a question that shares no word with any of the texts. */
const QUESTION_OF: Readonly<Record<string, string>> = {
  'We adopted a beagle puppy from the shelter. He sleeps on the sofa, chews our slippers and barks at the cat next door.':
    'pets living here',
  'The surgeon took out my appendix. I stayed on the ward for a week with stitches and painkillers, and a nurse visits me now.':
    'hospital operation',
  'Grandmother baked a lemon cake with almonds. She melts butter and sugar, adds four eggs and leaves the tin in the oven.':
    'dessert recipe',
  'The violinist and the orchestra played Brahms and Mozart. The choir sang after the break and the conductor bowed twice.':
    'classical music concert',
};
const DIARY = Array.from(
  { length: 30 },
  (_, day) => `On day ${day + 1} the ferry left at noon, the sea was calm and the boats came back before dark.`,
).join('\n');

describe('recall of long texts', () => {
  let service: Service;
  const idOf = new Map<string, string>();
  before(async () => {
    service = await startService();
    for (const [index, fact] of Object.keys(QUESTION_OF).entries()) {
      const diary = `Diary ${index}\n${DIARY}`.slice(0, CHARACTERS - fact.length - 1);
      expect(diary.length).to.be.above(CHARACTERS * 0.75);
      // A day apart, so that each memory is a session of its own.
      const timestamp = new Date(Date.UTC(2024, 0, 1 + index)).toISOString();
      idOf.set(fact, await store(service, { content: `${diary}\n${fact}`, tags: ['diary'], timestamp }));
    }
    await service.settled();
  });
  after(() => service.close());

  it('finds a fact in the last quarter of 1,900 characters by meaning', async () => {
    for (const [fact, query] of Object.entries(QUESTION_OF)) {
      const search = new URLSearchParams({ query, tags: 'diary', adaptive_floor: 'false' });
      const { status, body } = await service.request('GET', `/recall?${search}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      const [first] = body.results;
      expect(first.id, query).to.equal(idOf.get(fact));
      expect(first.score_components.keyword).to.equal(0);
      expect(first.score_components.vector).to.be.above(0);
    }
  });
});

describe('a text of one token', () => {
  let service: Service;
  before(async () => (service = await startService()));
  after(() => service.close());

  it('is found by its word and by its meaning', async () => {
    await store(service, { content: 'The ferry to Bergen leaves at noon' });
    const id = await store(service, { content: 'Coffee' });
    await service.settled();
    for (const [query, component] of [
      ['coffee', 'keyword'],
      ['espresso', 'vector'],
    ] as const) {
      const { status, body } = await service.request('GET', `/recall?query=${query}&limit=1`);
      expect(status).to.equal(200);
      expect(body.results[0].id, query).to.equal(id);
      expect(body.results[0].score_components[component]).to.be.above(0);
    }
  });
});
