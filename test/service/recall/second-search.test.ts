/** The second search of a recall: it finds evidence that shares no word with the query, and can be switched off. */
import { expect } from 'chai';
import type { QueryConfig } from '../../../query-api/config.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { withRecall } from '../../support/fixtures/query-config.js';
import { type Service, startService } from '../../support/processes/service.js';

/**
 * Eight candidates by vector and eight by words, so that a few memories exceed the pool. Whole words are a poor vector,
 * so shared rare words and neighbours weigh more than by default.
 */
const SMALL_POOL = { RECALL_VECTOR_FETCH_CAP: '8' };
const smallPool = (config: QueryConfig): QueryConfig => {
  const { scoring } = config.recall;
  return withRecall({
    keywordPool: 8,
    scoring: { ...scoring, signals: { ...scoring.signals, feedback: 0.6, neighbours: 0.7 } },
  })(config);
};
const LIMIT = '8';
/** Each with a number of its own, so that no two share a rare word. */
const smallTalk = (from: number): readonly string[] =>
  Array.from(
    { length: 12 },
    (_, index) => `Ann: the bus was late, and then it rained the whole way to work ${from + index}`,
  );

/** In one conversation, a minute apart. The oboe and the boat share no word with the questions; the small talk does. */
const CHAT: readonly string[] = [
  ...smallTalk(100),
  'Ann: my sister Philippa lives by the harbour',
  ...smallTalk(200),
  'Bob: which instrument did you buy in Vienna?',
  'Ann: an oboe, second hand',
  ...smallTalk(300),
  'Ann: Philippa has a boat called Marigold',
  ...smallTalk(400),
];
const indexOf = (text: string): number => CHAT.findIndex((content) => content.includes(text));

type Found = {
  readonly id: string;
  readonly score_components: Readonly<Record<string, number>>;
  readonly explain: {
    readonly evidence: readonly { readonly source: string; readonly of?: string }[];
    readonly points: Readonly<Record<string, number>>;
  };
};

const MEMORIES = CHAT.map((content, index) => ({
  content,
  tags: ['conversation:1'],
  type: 'Context',
  timestamp: new Date(Date.UTC(2024, 4, 1, 12, index)).toISOString(),
}));

async function storeChat(service: Service): Promise<readonly string[]> {
  const { status, body } = await service.request('POST', '/memory/batch', { body: { memories: MEMORIES } });
  expect(status).to.equal(201);
  await service.settled();
  return body.memory_ids;
}

for (const isOn of [true, false]) {
  describe(`second search ${isOn ? 'switched on' : 'switched off'}`, () => {
    let service: Service;
    let ids: readonly string[];
    before(async () => {
      service = await startService({
        variables: { ...SMALL_POOL, RECALL_SECOND_SEARCH: String(isOn) },
        query: smallPool,
        // Texts without a common word have nothing in common.
        embedder: createWordHashEmbedder(512),
      });
      ids = await storeChat(service);
    });
    after(() => service.close());

    async function find(query: string, text: string): Promise<Found | undefined> {
      const path = `/recall?${new URLSearchParams({ query, tags: 'conversation:1', limit: LIMIT, explain: 'true', adaptive_floor: 'false' })}`;
      const { status, body } = await service.request('GET', path);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.results.find(({ id }: Found) => id === ids[indexOf(text)]);
    }

    it(`${isOn ? 'finds' : 'does not find'} the answer next to a question`, async () => {
      const answer = await find('which instrument was from the trip to Vienna', 'oboe');
      if (!isOn) return expect(answer).to.equal(undefined);
      expect(answer?.explain.evidence.map(({ source }) => source)).to.include('adjacent');
      return expect(answer?.explain.points).to.include.keys('neighbours');
    });

    it(`${isOn ? 'finds' : 'does not find'} a memory by a name in the best candidate`, async () => {
      const hop = await find('where in the town was the sister who lives by the harbour', 'Marigold');
      if (!isOn) return expect(hop).to.equal(undefined);
      expect(hop?.explain.evidence.map(({ source }) => source)).to.include('feedback');
      expect(hop?.score_components['feedback']).to.be.within(0, 1);
      return expect(hop?.explain.points).to.include.keys('feedback');
    });
  });
}

describe('second search of a slow graph', () => {
  it('is degraded, and the results of the first search remain', async () => {
    const service = await startService({
      variables: { ...SMALL_POOL, RECALL_SECOND_SEARCH: 'true', RECALL_SOURCE_TIMEOUT_MS: '500' },
      query: smallPool,
      embedder: createWordHashEmbedder(512),
      alter: (engines) => ({
        ...engines,
        graph: {
          ...engines.graph,
          search: (searches) =>
            searches.adjacent.length > 0 ? new Promise(() => undefined) : engines.graph.search(searches),
        },
      }),
    });
    try {
      await storeChat(service);
      const { status, body } = await service.request('GET', '/recall?query=the+sister+by+the+harbour&limit=8');
      expect(status).to.equal(200);
      expect(body.results).to.not.be.empty;
      expect(body.degraded.map(({ source }: { source: string }) => source)).to.deep.equal(['second_search']);
    } finally {
      await service.close();
    }
  });
});
