/** Under a selective filter every graph ranks as if the other memories did not exist. */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import { METADATA_HOLDERS } from '../../../shared/contract/limits.js';
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { MetadataHit } from '../../../shared/ports/graph.js';
import { queryTerms } from '../../../shared/text/analyzer.js';
import { RANKED_HITS } from '../../../shared/text/rank-by-words.js';
import { tagPrefixes } from '../../../shared/text/tags.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { day, memory, stored } from '../../support/fixtures/memories.js';
import { seededRandom } from '../../support/fixtures/random.js';

const QUESTIONS = 20;
const FEW = 30;
/** More matches than an engine selects without a filter. */
const MANY = RANKED_HITS + 200;
const OTHERS = 2 * METADATA_HOLDERS;
const LIMIT = 100;
const WORDS = ['apple', 'bread', 'cedar', 'dune', 'ember', 'fjord', 'grove', 'harbour', 'island', 'jungle'] as const;
const ALL: MemoryFilter = {
  tags: null,
  within: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'current',
  now: day(300),
};
const FILTERS: Readonly<Record<string, MemoryFilter>> = {
  'a tag with few memories': { ...ALL, tags: { values: ['few'], mode: 'any', match: 'prefix' } },
  'a tag with many memories': { ...ALL, tags: { values: ['many'], mode: 'all', match: 'exact' } },
  'a time window': { ...ALL, start: day(10), end: day(20) },
};

/** By the name of the filter: the answers to the questions, in their order. */
type Answers = Readonly<
  Record<string, readonly { readonly keyword: readonly MemoryId[]; readonly metadata: readonly MetadataHit[] }[]>
>;

for (const adapter of GRAPH_ADAPTERS) {
  describe(`memories of others: ${adapter.name}`, () => {
    const random = seededRandom(31);
    const questions = Array.from({ length: QUESTIONS }, () => ['note', ...pickWords(3)].join(' '));
    const own = [
      ...Array.from({ length: FEW }, (_, index) => ownMemory(index, 'few', 15)),
      ...Array.from({ length: MANY }, (_, index) => ownMemory(FEW + index, 'many', 25)),
    ];
    let graph: OpenGraph;
    let alone: Answers;
    let among: Answers;
    before(async () => {
      graph = await adapter.open();
      await graph.writer.apply(own.map((each) => stored(each)));
      alone = await answers();
      await graph.writer.apply(Array.from({ length: OTHERS }, (_, index) => stored(memoryOfOthers(index))));
      among = await answers();
    });
    after(() => graph.close());

    for (const filter of Object.keys(FILTERS)) {
      for (const kind of ['keyword', 'metadata'] as const) {
        it(`change no ${kind} hits under ${filter}`, () => {
          const expected = alone[filter]?.map((answer) => answer[kind]) ?? [];
          expect(Math.max(...expected.map(({ length }) => length))).to.be.at.least(FEW / 2);
          questions.forEach((question, index) =>
            expect(among[filter]?.[index]?.[kind], question).to.deep.equal(expected[index]),
          );
        });
      }
    }

    async function answers(): Promise<Answers> {
      const all: [string, Answers[string]][] = [];
      // The searches of one filter at a time: all together take more than the memory that Neo4j has for transactions.
      for (const [name, filter] of Object.entries(FILTERS)) {
        const searches = questions.map(async (question) => ({
          keyword: await graph.reader.keyword({ terms: queryTerms(question), filter, limit: LIMIT }),
          metadata: await graph.reader.metadata({ words: question.split(' ').slice(1), filter, limit: LIMIT }),
        }));
        all.push([name, await Promise.all(searches)]);
      }
      return Object.fromEntries(all);
    }

    function pickWords(count: number): readonly string[] {
      return [...new Set(Array.from({ length: count }, () => random.pick(WORDS)))];
    }

    /** Early words are rare and late words common; every text has its own length. */
    function ownMemory(index: number, tag: string, date: number): Memory {
      const words = WORDS.filter((_, at) => random.next() < (at + 1) / 20);
      const padding = Array.from({ length: random.below(20) }, () => 'filler');
      return memory(index + 1, {
        content: ['note', ...words, ...padding].join(' '),
        tags: [tag],
        tag_prefixes: tagPrefixes([tag]),
        metadata: { project: random.pick(WORDS), tool: random.pick(WORDS) },
        importance: random.below(5) / 10,
        timestamp: day(date),
      });
    }

    /** Early words are common and late words rare. The memories are more important, and all have the same metadata. */
    function memoryOfOthers(index: number): Memory {
      return memory(10_000 + index, {
        content: ['note', ...WORDS.filter((_, at) => random.next() < 0.9 ** (at + 1))].join(' '),
        tags: ['others'],
        tag_prefixes: ['others'],
        metadata: { project: WORDS.slice(0, 5).join(' ') },
        importance: 0.9,
        timestamp: day(100),
      });
    }
  });
}
