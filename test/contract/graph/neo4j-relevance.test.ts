/** Only words determine the relevance in the Neo4j graph. */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import type { Neo4j, Row } from '../../../shared/engines/neo4j/neo4j.js';
import { createNeo4jGraphWriter } from '../../../shared/engines/neo4j/neo4j-graph-writer.js';
import { filterClauses, wordClauses } from '../../../shared/engines/neo4j/searching/full-text-query.js';
import { randomMemories } from '../../support/checks/reference-filter.js';
import { day, memory, memoryId, stored } from '../../support/fixtures/memories.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { openEmptyNeo4j } from '../../support/servers/neo4j.js';
import { isServerWanted } from '../../support/servers/servers.js';

const OPEN: MemoryFilter = {
  tags: null,
  within: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'unarchived',
  now: day(15),
};

if (isServerWanted('neo4j')) {
  describe('Neo4j relevance', () => {
    let neo4j: Neo4j;
    before(async () => {
      neo4j = await openEmptyNeo4j();
      const everywhere = { tags: ['all', 'more of it'], archived: false, t_valid: day(1), t_invalid: day(30) };
      const memories = randomMemories(200, seededRandom(2)).map((each) => ({ ...each, ...everywhere }));
      const pair = [
        memory(901, { content: 'quokka seen', tags: ['day'] }),
        memory(902, { content: 'day seen', tags: ['quokka'] }),
      ];
      await createNeo4jGraphWriter({ neo4j }).apply([...memories, ...pair].map((each) => stored(each)));
    });
    after(() => neo4j.close());

    const scores = async (terms: readonly string[], filter: MemoryFilter): Promise<ReadonlyMap<string, number>> => {
      const query = [`+(${wordClauses(terms).join(' ')})`, ...filterClauses(filter)].join(' ');
      const text = `CALL db.index.fulltext.queryNodes('memory_terms', $given.query) YIELD node, score RETURN node.id AS id, score`;
      return new Map(
        (await neo4j.read({ text, given: { query } })).map((row: Row) => [String(row['id']), Number(row['score'])]),
      );
    };

    it('is exactly the same under a filter that admits all memories', async () => {
      const terms = ['appl', 'bread', 'note'];
      const free = await scores(terms, OPEN);
      expect(free.size).to.be.greaterThan(150);
      for (const filter of [
        { ...OPEN, tags: { values: ['all', 'none'], mode: 'any', match: 'prefix' } },
        { ...OPEN, tags: { values: ['all', 'more of it'], mode: 'all', match: 'exact' }, start: day(1), end: day(300) },
        { ...OPEN, state: 'current', excludeTags: ['zz', 'y'], excludedTypes: ['Habit'] },
      ] as const) {
        const filtered = await scores(terms, filter);
        const expected = [...free].filter(([id]) => filtered.has(id));
        expect(expected.length).to.be.greaterThan(150);
        expect(new Map(expected)).to.deep.equal(filtered);
      }
    });

    it('weighs a word in the content twice as much as in a tag', async () => {
      const of = async (field: string, boost: string) => {
        const text = `CALL db.index.fulltext.queryNodes('memory_terms', $given.query) YIELD node, score WHERE node.id = $given.id RETURN score`;
        const [row] = await neo4j.read({
          text,
          given: { query: `${field}:"quokka"${boost}`, id: memoryId(field === 'terms' ? 901 : 902) },
        });
        return Number(row?.['score']);
      };
      const both = await scores(['quokka'], OPEN);
      expect(both.get(memoryId(901))).to.be.closeTo(2 * (await of('terms', '')), 1e-4);
      expect(both.get(memoryId(902))).to.be.closeTo(await of('tag_terms', ''), 1e-4);
    });
  });
}
