/** How every graph stores derived associations: a new set replaces the set before, next to associations that callers wrote. */
import { expect } from 'chai';
import fc from 'fast-check';
import { DERIVED_TYPES, type DerivedAssociation } from '../../../shared/contract/association.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { derived, enriched } from '../../support/fixtures/enrichment-events.js';
import {
  associated,
  association,
  deleted,
  memory,
  memoryId,
  stored,
  updated,
} from '../../support/fixtures/memories.js';

/** Each history is applied twice. */
const HISTORIES = { sqlite: 150, neo4j: 12 } as const;
const MEMORIES = 4;

for (const adapter of GRAPH_ADAPTERS) {
  describe(`derived associations: ${adapter.name}`, function () {
    this.timeout(120_000);
    let graph: OpenGraph;
    before(async () => (graph = await adapter.open()));
    after(() => graph.close());

    let first = 1;
    let countBefore: number;
    beforeEach(async () => {
      first += 10;
      countBefore = await associations();
      await graph.writer.apply([0, 1, 2].map((offset) => stored(memory(first + offset))));
    });

    const associations = async (): Promise<number> => (await graph.reader.counts({ excludedTypes: [] })).associations;
    const added = async (): Promise<number> => (await associations()) - countBefore;
    /** Type, strength and target of the associations that start at a memory. */
    async function shown(
      number: number,
      reader = graph.reader,
    ): Promise<readonly (readonly [string, number, string])[]> {
      const relations =
        (await reader.relations({ ids: [memoryId(number)], direction: 'outgoing', limit: 100 })).get(
          memoryId(number),
        ) ?? [];
      return relations
        .map(({ type, strength, memory: { id } }) => [type, strength, id] as const)
        .sort((a, b) => (a.join() < b.join() ? -1 : 1));
    }
    const edge = (type: string, strength: number, target: number) => [type, strength, memoryId(target)];

    it('are readable from both ends, with properties, and counted', async () => {
      await graph.writer.apply([
        enriched(first, 2, [
          derived(first + 1),
          derived(first + 2, { type: 'PRECEDED_BY', strength: 0.3, properties: { count: 1 } }),
        ]),
      ]);
      expect(await shown(first)).to.deep.equal([
        edge('PRECEDED_BY', 0.3, first + 2),
        edge('SIMILAR_TO', 0.9, first + 1),
      ]);
      const incoming = (await graph.reader.relations({ ids: [memoryId(first + 2)], direction: 'both', limit: 5 })).get(
        memoryId(first + 2),
      );
      expect(incoming?.[0]).to.deep.include({ type: 'PRECEDED_BY', direction: 'incoming', properties: { count: 1 } });
      expect(await added()).to.equal(2);
    });

    it('replace the set before, also with an empty set', async () => {
      await graph.writer.apply([enriched(first, 2, [derived(first + 1), derived(first + 2)])]);
      await graph.writer.apply([
        enriched(first, 3, [derived(first + 2, { strength: 0.8 }), derived(first + 1, { type: 'PRECEDED_BY' })]),
      ]);
      expect(await shown(first)).to.deep.equal([
        edge('PRECEDED_BY', 0.9, first + 1),
        edge('SIMILAR_TO', 0.8, first + 2),
      ]);
      await graph.writer.apply([enriched(first, 4, [])]);
      expect([await shown(first), await added()]).to.deep.equal([[], 0]);
    });

    it('stay after a change of the memory without an enrichment', async () => {
      await graph.writer.apply([
        enriched(first, 2, [derived(first + 1)]),
        updated(memory(first, { content: 'other' }), 3),
      ]);
      expect(await shown(first)).to.deep.equal([edge('SIMILAR_TO', 0.9, first + 1)]);
    });

    it('are from the newest enrichment, in any order of events', async () => {
      await graph.writer.apply([
        updated(memory(first), 4),
        enriched(first, 3, [derived(first + 1)]),
        enriched(first, 2, [derived(first + 2)]),
      ]);
      expect(await shown(first)).to.deep.equal([edge('SIMILAR_TO', 0.9, first + 1)]);
      const [loaded] = await graph.reader.memories([memoryId(first)]);
      expect(loaded?.version).to.equal(4);
    });

    it('belong to one owner: two memories may derive each other', async () => {
      await graph.writer.apply([enriched(first, 2, [derived(first + 1)]), enriched(first + 1, 2, [derived(first)])]);
      await graph.writer.apply([enriched(first, 3, [])]);
      expect([await shown(first), await shown(first + 1)]).to.deep.equal([[], [edge('SIMILAR_TO', 0.9, first)]]);
    });

    describe('next to an authored one', () => {
      const authored = () =>
        association(first, first + 1, { type: 'EXEMPLIFIES', strength: 0.2, properties: { pattern_type: 'said' } });
      const set = () => [derived(first + 1, { type: 'EXEMPLIFIES' }), derived(first + 2, { type: 'EXEMPLIFIES' })];

      for (const [title, order] of [
        ['before', [0, 1]],
        ['after', [1, 0]],
      ] as const) {
        it(`keep the authored one, written ${title}`, async () => {
          const events = [associated(authored()), enriched(first, 2, set())];
          for (const index of order) await graph.writer.apply(events.slice(index, index + 1));
          expect(await shown(first)).to.deep.equal([
            edge('EXEMPLIFIES', 0.2, first + 1),
            edge('EXEMPLIFIES', 0.9, first + 2),
          ]);
          expect(await graph.reader.associations([authored()])).to.deep.equal([
            { association: authored(), version: 1, revision: 1 },
          ]);
          expect(await added()).to.equal(2);
        });
      }

      it('keep the authored one after any number of sets', async () => {
        await graph.writer.apply([
          enriched(first, 2, set()),
          associated(authored()),
          enriched(first, 3, set()),
          enriched(first, 4, []),
        ]);
        expect(await shown(first)).to.deep.equal([edge('EXEMPLIFIES', 0.2, first + 1)]);
      });
    });

    it('are not loaded for commands, because they have no version', async () => {
      await graph.writer.apply([enriched(first, 2, [derived(first + 1)])]);
      expect(await graph.reader.associations([association(first, first + 1, { type: 'SIMILAR_TO' })])).to.deep.equal(
        [],
      );
    });

    it('wait for a later target, and skip a deleted one', async () => {
      await graph.writer.apply([deleted(first + 1, 2), enriched(first, 2, [derived(first + 1), derived(first + 5)])]);
      expect(await shown(first)).to.deep.equal([]);
      await graph.writer.apply([stored(memory(first + 5)), stored(memory(first + 1))]);
      expect(await shown(first)).to.deep.equal([edge('SIMILAR_TO', 0.9, first + 5)]);
      expect(await added()).to.equal(1);
    });

    it('are deleted with either end', async () => {
      await graph.writer.apply([
        enriched(first, 2, [derived(first + 1), derived(first + 2)]),
        enriched(first + 2, 2, [derived(first)]),
      ]);
      await graph.writer.apply([deleted(first + 1, 2)]);
      expect([await shown(first), await added()]).to.deep.equal([[edge('SIMILAR_TO', 0.9, first + 2)], 2]);
      await graph.writer.apply([
        deleted(first, 3),
        enriched(first, 2, [derived(first + 2)]),
        enriched(first, 9, [derived(first + 2)]),
      ]);
      expect([await shown(first + 2), await added()]).to.deep.equal([[], 0]);
    });

    it('are the same for any order, grouping and repetition of events', async () => {
      const runs = HISTORIES[adapter.name as keyof typeof HISTORIES];
      let base = 1_000;
      await fc.assert(
        fc.asyncProperty(historyArbitrary, async ({ changes, shuffle }) => {
          const seen: unknown[] = [];
          for (const isShuffled of [false, true]) {
            base += MEMORIES;
            const before = await associations();
            const events = historyOf(changes, base);
            for (const group of isShuffled
              ? groupsOf([...events, ...events.slice(0, shuffle.length)], shuffle)
              : events.map((event) => [event]))
              await graph.writer.apply(group);
            const edges = await Promise.all(numbers(base).map((number) => shown(number)));
            const states = await graph.reader.memories(numbers(base).map(memoryId));
            seen.push({
              edges: edges.map((of) =>
                of.map(([type, strength, id]) => [type, strength, Number(id.slice(-12)) - base]),
              ),
              states: states.map(({ memory: { id, content }, version }) => [
                Number(id.slice(-12)) - base,
                content,
                version,
              ]),
              associations: (await associations()) - before,
            });
          }
          expect(seen[1]).to.deep.equal(seen[0]);
        }),
        { seed: 23, numRuns: runs },
      );
    });
  });
}

type Change = {
  readonly owner: number;
  readonly kind: 'enrich' | 'update' | 'associate' | 'delete';
  readonly targets: readonly number[];
  readonly type: number;
};

const offset = fc.integer({ min: 0, max: MEMORIES - 1 });
const change: fc.Arbitrary<Change> = fc.record({
  owner: offset,
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('enrich') },
    { weight: 2, arbitrary: fc.constantFrom('update', 'associate') },
    { weight: 1, arbitrary: fc.constant('delete') },
  ),
  targets: fc.uniqueArray(offset, { maxLength: MEMORIES }),
  type: fc.integer({ min: 0, max: DERIVED_TYPES.length - 1 }),
}) as fc.Arbitrary<Change>; // the constants lose their literal types in a record
const historyArbitrary = fc.record({
  changes: fc.array(change, { minLength: 1, maxLength: 12 }),
  shuffle: fc.array(fc.nat(), { minLength: 12, maxLength: 16 }),
});

function numbers(base: number): readonly number[] {
  return Array.from({ length: MEMORIES }, (_, index) => base + index);
}

/** Histories as in the journal: versions without gaps, and no event of a memory after its deletion. */
function historyOf(changes: readonly Change[], base: number): readonly RecordedEvent[] {
  const versions = new Map(numbers(base).map((number) => [number, 1]));
  const written = new Map<string, number>();
  const gone = new Set<number>();
  const events = numbers(base).map((number) => stored(memory(number, { content: 'stored' })));
  for (const { owner, kind, targets, type } of changes) {
    const number = base + owner;
    if (gone.has(number)) continue;
    if (kind === 'associate') {
      const target = base + (targets.find((one) => one !== owner) ?? (owner + 1) % MEMORIES);
      if (gone.has(target)) continue;
      const version = (written.get(`${number} ${target}`) ?? 0) + 1;
      written.set(`${number} ${target}`, version);
      events.push(associated(association(number, target, { type: 'EXEMPLIFIES', strength: version / 100 }), version));
      continue;
    }
    const version = (versions.get(number) ?? 0) + 1;
    versions.set(number, version);
    if (kind === 'delete') gone.add(number);
    events.push(
      kind === 'delete'
        ? deleted(number, version)
        : kind === 'update'
          ? updated(memory(number, { content: `updated ${owner} ${version}` }), version)
          : enriched(number, version, setOf({ owner, targets, type, version, base })),
    );
  }
  return events;
}

function setOf({
  owner,
  targets,
  type,
  version,
  base,
}: Pick<Change, 'owner' | 'targets' | 'type'> & {
  readonly version: number;
  readonly base: number;
}): readonly DerivedAssociation[] {
  return targets
    .filter((target) => target !== owner)
    .map((target, index) =>
      derived(base + target, {
        type: DERIVED_TYPES[(type + index) % DERIVED_TYPES.length] ?? 'SIMILAR_TO',
        strength: version / 20,
      }),
    );
}

/** The events in another order, in groups of one to four. */
function groupsOf(events: readonly RecordedEvent[], shuffle: readonly number[]): readonly (readonly RecordedEvent[])[] {
  const left = [...events];
  const groups: RecordedEvent[][] = [];
  for (let index = 0; left.length > 0; index += 1) {
    const pick = shuffle[index % shuffle.length] ?? 0;
    const group = groups.at(-1);
    const next = left.splice(pick % left.length, 1);
    if (group === undefined || group.length > pick % 4) groups.push(next);
    else group.push(...next);
  }
  return groups;
}
