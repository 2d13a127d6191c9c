/** Reads that describe the graph as a whole, over every engine. */
import { expect } from 'chai';
import type { Association, AssociationKey } from '../../../shared/contract/association.js';
import type { Memory } from '../../../shared/contract/memory.js';
import type { Selection } from '../../../shared/ports/graph-inspector.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { derived, enriched } from '../../support/fixtures/enrichment-events.js';
import {
  associated,
  association,
  day,
  deleted,
  memory,
  memoryId,
  stored,
  updated,
} from '../../support/fixtures/memories.js';

const ALL: Selection = { minImportance: 0, types: null, since: null };
const MEMORIES = 60;
const PAGE = 7;
const TYPES = ['Context', 'Insight', 'Decision'] as const;
const MANY = Array.from({ length: MEMORIES }, (_, index) => index + 1);

/** Most memories share an importance, and many a timestamp too. */
const shown = (number: number): Memory =>
  memory(number, {
    importance: [0.5, 0.5, 0.5, 0.8, 0][number % 5] ?? 0,
    timestamp: day(1 + (number % 4)),
    type: TYPES[number % 3] ?? 'Context',
    confidence: 0.25 * (1 + (number % 3)),
  });

for (const adapter of GRAPH_ADAPTERS) {
  describe(`graph inspector: ${adapter.name}`, () => {
    let graph: OpenGraph;
    before(async () => {
      graph = await adapter.open();
      await graph.writer.apply(MANY.map((number) => stored(shown(number))));
      await graph.writer.apply([deleted(3, 2)]);
      await graph.writer.apply(
        MANY.slice(1).flatMap((number) => [
          associated(association(1, number, { strength: number / 100 })),
          associated(association(number, 2, { type: 'PREFERS_OVER', strength: number / 100, properties: { a: 1 } })),
        ]),
      );
      await graph.writer.apply([enriched(4, 2, [derived(5)]), updated(shown(4), 3)]);
    });
    after(() => graph.close());

    const present = MANY.filter((number) => number !== 3).map(shown);
    const inOrder = (memories: readonly Memory[]): readonly Memory[] =>
      [...memories].sort(
        (one, other) =>
          other.importance - one.importance ||
          (one.timestamp === other.timestamp ? 0 : one.timestamp < other.timestamp ? 1 : -1) ||
          (one.id < other.id ? -1 : 1),
      );

    async function walk(selection: Selection): Promise<readonly Memory[]> {
      const found: Memory[] = [];
      for (;;) {
        const page = await graph.inspector.mostImportant({ ...selection, after: found.at(-1) ?? null, limit: PAGE });
        found.push(...page);
        if (page.length < PAGE) return found;
      }
    }

    it('returns each present memory once, the most important first', async () => {
      const found = await walk(ALL);
      expect(found.map(({ id }) => id)).to.deep.equal(inOrder(present).map(({ id }) => id));
      const ids = found.slice(0, 2).map(({ id }) => id);
      expect(found.slice(0, 2)).to.deep.equal((await graph.reader.memories(ids)).map((loaded) => loaded.memory));
    });

    it('selects by importance, type and time, bounds included', async () => {
      for (const selection of [
        { ...ALL, minImportance: 0.5 },
        { ...ALL, minImportance: 0.500_001 },
        { ...ALL, minImportance: 1 },
        { ...ALL, types: ['Insight', 'Decision', 'Insight', 'Nonsense'] },
        { ...ALL, types: ['Nonsense'] },
        { ...ALL, since: day(3) },
        { minImportance: 0.5, types: ['Decision'], since: day(2) },
      ]) {
        const { minImportance, types, since } = selection;
        const expected = inOrder(present)
          .filter((each) => each.importance >= minImportance && (since === null || each.timestamp >= since))
          .filter(({ type }) => types === null || types.includes(type));
        const ids = (await walk(selection)).map(({ id }) => id);
        expect(ids, JSON.stringify(selection)).to.deep.equal(expected.map(({ id }) => id));
      }
    });

    async function walkAssociations(selection: Selection, nodes: readonly Memory[]): Promise<readonly Association[]> {
      const last = nodes.at(-1);
      if (last === undefined) return [];
      const found: Association[] = [];
      const ids = nodes.map(({ id }) => id);
      for (let after: AssociationKey | null = null; ;) {
        const page = await graph.inspector.associationsWithin({ ...selection, ids, last, after, limit: PAGE });
        found.push(...page);
        if (page.length < PAGE) return found;
        after = page.at(-1) ?? null;
      }
    }

    it('returns the associations within a selection, each once', async () => {
      for (const [selection, count] of [
        [ALL, MEMORIES],
        [ALL, 20],
        [{ ...ALL, types: ['Insight'], since: day(2) }, MEMORIES],
        [{ ...ALL, minImportance: 0.5 }, 9],
      ] as const) {
        const nodes = (await walk(selection)).slice(0, count);
        const found = await walkAssociations(selection, nodes);
        const ids = new Set<string>(nodes.map(({ id }) => id));
        const keys = found.map(({ source, type, target }) => `${source} ${type} ${target}`);
        expect(new Set(keys).size).to.equal(keys.length);
        const expected = MANY.slice(1)
          .filter((number) => number !== 3)
          .flatMap((number) => [
            [memoryId(1), 'RELATES_TO', memoryId(number)],
            [memoryId(number), 'PREFERS_OVER', memoryId(2)],
          ])
          .concat([[memoryId(4), 'SIMILAR_TO', memoryId(5)]])
          .filter(([source = '', , target = '']) => ids.has(source) && ids.has(target));
        expect(keys).to.have.members(expected.map((key) => key.join(' ')));
      }
    });

    it('returns an association as a read by key does', async () => {
      const key = { source: memoryId(9), type: 'PREFERS_OVER', target: memoryId(2) } as const;
      const [read] = await graph.reader.associations([key]);
      expect(await walkAssociations(ALL, await walk(ALL))).to.deep.include(read?.association);
    });

    it('counts memories and associations by type', async () => {
      const { memories, associations } = await graph.inspector.totals();
      expect(Object.fromEntries(memories)).to.deep.equal({ Insight: 20, Decision: 20, Context: 19 });
      const written = MEMORIES - 2;
      expect(Object.fromEntries(associations)).to.deep.equal({
        RELATES_TO: written,
        PREFERS_OVER: written,
        SIMILAR_TO: 1,
      });
    });

    it('spreads memories over importances and dates', async () => {
      const { fromImportance, byDate } = await graph.inspector.spread({
        importances: [0.8, 0.5, 0],
        from: '2024-01-02',
        until: '2024-01-04',
      });
      const from = (importance: number) => present.filter((each) => each.importance >= importance).length;
      expect(fromImportance).to.deep.equal([from(0.8), from(0.5), present.length]);
      const on = (date: string) => present.filter(({ timestamp }) => timestamp.startsWith(date)).length;
      expect(Object.fromEntries(byDate)).to.deep.equal({
        '2024-01-02': on('2024-01-02'),
        '2024-01-03': on('2024-01-03'),
      });
    });

    it('averages the confidence of each type', async () => {
      const averages = await graph.inspector.averageConfidences();
      expect([...averages.keys()]).to.have.members(TYPES);
      expect(averages.get('Insight')).to.be.closeTo(0.5, 1e-9);
      expect(averages.get('Decision')).to.be.closeTo(0.75, 1e-9);
    });

    it('returns the strongest preferences with their memories', async () => {
      const found = await graph.inspector.strongestPreferences(2);
      expect(found.map((each) => each.association.source)).to.deep.equal([60, 59].map(memoryId));
      expect(found[0]?.prefers.content).to.equal('Note number 60');
      expect(found[0]?.over).to.deep.equal((await graph.reader.memories([memoryId(2)]))[0]?.memory);
    });

    it('keeps the counts over updates, derived associations and deletions', async () => {
      await graph.writer.apply([
        associated(association(1, 9, { strength: 1 }), 2),
        updated({ ...shown(6), type: 'Style' }, 2),
        enriched(4, 4, [derived(7), derived(8)]),
        associated(association(4, 7, { type: 'SIMILAR_TO' })),
        deleted(12, 2),
      ]);
      const { memories, associations } = await graph.inspector.totals();
      expect(memories.get('Style')).to.equal(1);
      expect(Object.fromEntries(associations)).to.deep.equal({
        RELATES_TO: MEMORIES - 3,
        PREFERS_OVER: MEMORIES - 3,
        SIMILAR_TO: 2,
      });
    });
  });

  describe(`graph inspector of an empty graph: ${adapter.name}`, () => {
    it('finds nothing', async () => {
      const { inspector, close } = await adapter.open();
      try {
        expect(await inspector.mostImportant({ ...ALL, after: null, limit: 9 })).to.deep.equal([]);
        expect((await inspector.totals()).memories.size).to.equal(0);
        expect((await inspector.averageConfidences()).size).to.equal(0);
        expect(await inspector.strongestPreferences(9)).to.deep.equal([]);
      } finally {
        await close();
      }
    });
  });
}
