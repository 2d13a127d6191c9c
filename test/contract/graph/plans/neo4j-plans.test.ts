/** Query plans of Neo4j on an empty graph and on a full one: no statement may scan or sort all memories. */
import { expect } from 'chai';
import { METADATA_HOLDERS } from '../../../../shared/contract/limits.js';
import type { Neo4j } from '../../../../shared/engines/neo4j/neo4j.js';
import { createNeo4jGraphInspector } from '../../../../shared/engines/neo4j/neo4j-graph-inspector.js';
import { createNeo4jGraphReader } from '../../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphScan } from '../../../../shared/engines/neo4j/neo4j-graph-scan.js';
import { createNeo4jGraphWriter } from '../../../../shared/engines/neo4j/neo4j-graph-writer.js';
import { RANKED_HITS_OF_PART } from '../../../../shared/text/rank-by-words.js';
import { derived, enriched } from '../../../support/fixtures/enrichment-events.js';
import {
  associated,
  association,
  day,
  deleted,
  memory,
  memoryId,
  stored,
  superseded,
} from '../../../support/fixtures/memories.js';
import { openEmptyNeo4j } from '../../../support/servers/neo4j.js';
import { openPlanner, type Planner, statementsOf } from '../../../support/servers/neo4j-plans.js';
import { isServerWanted } from '../../../support/servers/servers.js';
import { graphOf, LISTED, READS } from './graph-reads.js';

const MEMORIES = 3_000;

/**
 * A search under a tag ranks 1,000 hits of the full-text index by five properties each. To detect more than 2,000
 * matches, a read asks for 2,001.
 */
const HITS_OF_ONE = 3;
const HITS_OF_RANKED = 5;
/** A metadata search filters the holders of a word by seven properties each. */
const HITS_OF_HOLDER = 8;
const MAX_HITS: Readonly<Record<string, number>> = {
  'keyword search': RANKED_HITS_OF_PART * HITS_OF_RANKED + 400,
  'metadata search for a common word': METADATA_HOLDERS * HITS_OF_HOLDER + 400,
  'metadata search for a common word in a small part': METADATA_HOLDERS * HITS_OF_HOLDER + 400,
  // Every memory of the tag, and two properties of each.
  'ids of a tag within another': 2 * MEMORIES + 400,
  'trending within a tag': 2_001 * HITS_OF_ONE + 400,
  'trending under a filter that admits many': 2_001 * HITS_OF_ONE + 400,
  // Every memory of the tag, and four properties of each.
  'a page of a listing by update': 4 * (MEMORIES / 2) + 400,
  // Nine properties of each memory, and its tags.
  'the counts of a listing': 18 * MEMORIES + 400,
  // Every memory with the word, and three properties of each.
  'a page of a listing by words': 4 * (MEMORIES / 20) + 600,
  'the spread over importances and dates': 2 * MEMORIES,
  'the most important of two tags': 2_001 * HITS_OF_ONE + 400,
  'the most important of a common tag': 2_001 * HITS_OF_ONE + 400,
};

if (isServerWanted('neo4j')) {
  describe('Neo4j query plans', () => {
    let neo4j: Neo4j;
    let planner: Planner;
    before(async () => {
      neo4j = await openEmptyNeo4j();
      planner = openPlanner();
    });
    after(async () => {
      await planner.close();
      await neo4j.close();
    });

    const scans = (operators: readonly string[]): readonly string[] =>
      operators.filter((name) => /Scan|^Sort$/u.test(name));
    const reads = (name: string) =>
      statementsOf(neo4j, async (recorded) =>
        READS[name]?.(
          createNeo4jGraphReader({ neo4j: recorded }),
          createNeo4jGraphScan({ neo4j: recorded }),
          createNeo4jGraphInspector({ neo4j: recorded }),
        ),
      );
    const writes = () =>
      statementsOf(neo4j, async (recorded) => {
        const writer = createNeo4jGraphWriter({ neo4j: recorded });
        await writer.apply([
          stored(memory(9_001)),
          stored(memory(9_002)),
          associated(association(9_001, 9_002)),
          deleted(9_003, 2),
        ]);
        await writer.apply([enriched(9_001, 2, [derived(9_002), derived(9_002, { type: 'EXEMPLIFIES' })])]);
        await writer.recordAccess([memoryId(9_001)], day(3));
      });

    it('scan and sort nothing on an empty graph, where Neo4j makes them first', async () => {
      for (const name of Object.keys(READS))
        expect(scans(await planner.explain(await reads(name))), name).to.deep.equal([]);
    });

    it('write with the index of ids on an empty graph', async () => {
      expect((await planner.explain(await writes())).filter((name) => name.endsWith('Scan'))).to.deep.equal([]);
    });

    describe('on a full graph', () => {
      before(async () => {
        const writer = createNeo4jGraphWriter({ neo4j });
        for (const events of graphOf(MEMORIES)) await writer.apply(events);
        await planner.sampleIndexes();
      });

      for (const name of Object.keys(READS)) {
        it(`read through indexes with few database hits: ${name}`, async () => {
          const { operators, hits } = await planner.profile(await reads(name));
          // With other statistics Neo4j walks the same index by a scan in its order, which ends at the limit: the hits
          // show it.
          expect(scans(operators).filter((operator) => operator !== 'NodeIndexScan')).to.deep.equal([]);
          expect(hits).to.be.lessThan(MAX_HITS[name] ?? 600);
        });
      }

      it('follow successions without every path through a lattice', async () => {
        const first = 20_000;
        const layers = 20;
        const numbers = Array.from({ length: 2 * layers }, (_, index) => first + index);
        const next = (number: number): number[] =>
          [2, 3].map((step) => number - ((number - first) % 2) + step).filter((other) => other < first + 2 * layers);
        const writer = createNeo4jGraphWriter({ neo4j });
        await writer.apply(numbers.map((number) => stored(memory(number))));
        await writer.apply(numbers.flatMap((number) => next(number).map((other) => superseded(number, other))));
        const { hits } = await planner.profile(
          await statementsOf(neo4j, async (recorded) => {
            const found = await createNeo4jGraphReader({ neo4j: recorded }).successions([memoryId(first)], 50);
            expect(found).to.have.length(4 * (layers - 1) - 2);
          }),
        );
        expect(hits, `${2 ** layers} ways`).to.be.lessThan(3_000);
      });

      for (const [sort, step] of [
        ['newest', -1],
        ['oldest', 1],
        ['updated', -1],
      ] as const)
        it(`read few rows for a page among equal times: ${sort}`, async () => {
          const first = 60_000;
          const numbers = Array.from({ length: 2_000 }, (_, index) => first + index);
          const times = { timestamp: day(700), updated_at: day(700) };
          await createNeo4jGraphWriter({ neo4j }).apply(numbers.map((number) => stored(memory(number, times))));
          const request = {
            filter: { ...LISTED, excludedTypes: ['MetaPattern'] },
            sort,
            after: [day(700), memoryId(first + 1_000)],
            limit: 50,
          } as const;
          const { operators, hits } = await planner.profile(
            await statementsOf(neo4j, async (recorded) => {
              const { memories } = await createNeo4jGraphInspector({ neo4j: recorded }).listed(request);
              expect(memories.map(({ id }) => id)).to.deep.equal(
                Array.from({ length: 50 }, (_, index) => memoryId(first + 1_000 + step * (index + 1))),
              );
            }),
          );
          expect(scans(operators)).to.deep.equal([]);
          // 51 memories with up to 28 properties and index entries each. Reading all equal ones takes 3,000 more.
          expect(hits).to.be.lessThan(1_600);
        });

      it('derive an association to a hub of 1,000 with few hits', async () => {
        const [hub, owner] = [30_000, 30_001];
        const writer = createNeo4jGraphWriter({ neo4j });
        await writer.apply([
          stored(memory(hub)),
          ...Array.from({ length: 1_000 }, (_, index) =>
            enriched(index + 1, 2, [derived(hub, { type: 'EXEMPLIFIES' })]),
          ),
        ]);
        const set = [derived(hub, { type: 'EXEMPLIFIES' }), derived(1), derived(2)];
        await writer.apply([stored(memory(owner)), enriched(owner, 2, set)]);
        const { operators, hits } = await planner.profile(
          await statementsOf(neo4j, async (recorded) => {
            await createNeo4jGraphWriter({ neo4j: recorded }).apply([enriched(owner, 3, set)]);
          }),
        );
        expect(operators.filter((name) => name.endsWith('Scan'))).to.deep.equal([]);
        expect(hits).to.be.lessThan(600);
      });

      it('write with the index of ids', async () => {
        expect((await planner.explain(await writes())).filter((operator) => operator.endsWith('Scan'))).to.deep.equal(
          [],
        );
      });
    });
  });
}
