/** A process runs its statements once at the start, so that Neo4j has a plan for each before a caller waits. */
import { expect } from 'chai';
import { CONTRADICTING_TYPES } from '../../../shared/contract/association.js';
import { UPSERT_MEMORIES } from '../../../shared/engines/neo4j/applying/upsert-memories.js';
import { createNeo4jGraphInspector } from '../../../shared/engines/neo4j/neo4j-graph-inspector.js';
import { createNeo4jGraphMark } from '../../../shared/engines/neo4j/neo4j-graph-mark.js';
import { createNeo4jGraphReader } from '../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../../../shared/engines/neo4j/neo4j-graph-writer.js';
import { warmUp } from '../../../shared/engines/neo4j/warm-up.js';
import { derived, enriched } from '../../support/fixtures/enrichment-events.js';
import { entityEvent, entityRecord } from '../../support/fixtures/entity-events.js';
import { associated, association, day, deleted, memory, memoryId, stored } from '../../support/fixtures/memories.js';
import { filter } from '../../support/fixtures/points.js';
import { openEmptyNeo4j } from '../../support/servers/neo4j.js';
import { statementsOf } from '../../support/servers/neo4j-plans.js';
import { isServerWanted } from '../../support/servers/servers.js';

const EVENTS = [
  stored(memory(1)),
  stored(memory(2)),
  enriched(1, 2, [derived(2)]),
  associated(association(1, 2)),
  entityEvent(entityRecord('people', 'ann'), 1),
  deleted(1, 3),
];

const LISTING = {
  ...{ tags: null, within: null, excludedTypes: [], terms: [] },
  ...{ minImportance: 0, types: null, since: null, until: null },
};

if (isServerWanted('neo4j'))
  describe('first statements of a process (neo4j)', () => {
    it('write nothing, rehearse an import, cover each event', async () => {
      const neo4j = await openEmptyNeo4j();
      try {
        const known = await statementsOf(neo4j, (recorded) => warmUp(recorded, { writes: true }));
        const rehearsed = known.filter(({ given: { rows } }) => Array.isArray(rows) && rows.length > 0);
        expect(rehearsed.map(({ text }) => text)).to.deep.equal([UPSERT_MEMORIES]);
        expect(
          await neo4j.read({ text: 'MATCH (n) WHERE n.id IS NOT NULL RETURN count(n) AS found', given: {} }),
        ).to.deep.equal([{ found: 0 }]);
        const used = await statementsOf(neo4j, async (recorded) => {
          const writer = createNeo4jGraphWriter({ neo4j: recorded });
          for (const event of EVENTS) await writer.apply([event]);
          await writer.apply(EVENTS);
          await writer.clearHub();
          await writer.recordAccess([memoryId(2)], day(9));
          await createNeo4jGraphMark({ neo4j: recorded }).read();
          const reader = createNeo4jGraphReader({ neo4j: recorded });
          const search = { filter: filter(), limit: 5 };
          await reader.search({
            keyword: [{ ...search, terms: ['note'] }],
            metadata: [{ ...search, words: ['note'] }],
          });
          await reader.trending({ ...search, order: 'time_desc' });
          await reader.newestWithin({ ...search, windows: [{ start: day(1), end: day(2) }] });
          await reader.topByTag({ ...search, tags: ['note'] });
          await reader.lineages([memoryId(2)], 0);
          await reader.among({ ids: [1, 2].map(memoryId), types: CONTRADICTING_TYPES });
          const inspector = createNeo4jGraphInspector({ neo4j: recorded });
          await inspector.listed({ filter: LISTING, sort: 'newest', after: null, limit: 5 });
          await inspector.facets({ filter: LISTING, sort: 'newest' });
          await inspector.spread({ importances: [0.5], from: day(1), until: day(2) });
          await inspector.tagUses({ prefixes: ['entity:'], limit: 5 });
          await inspector.tagUsesOf(['entity:people:ann']);
        });
        const texts = new Set(known.map(({ text }) => text));
        expect(used.map(({ text }) => text).filter((text) => !texts.has(text))).to.deep.equal([]);
      } finally {
        await neo4j.close();
      }
    });
  });
