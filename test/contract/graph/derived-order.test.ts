/** Derived associations do not depend on the order in which a graph receives events. */
import { expect } from 'chai';
import fc from 'fast-check';
import { DERIVED_TYPES, type DerivedAssociation } from '../../../shared/contract/association.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { associationsFrom, countAssociations } from '../../support/checks/derived-associations.js';
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
const HISTORIES = { sqlite: 60, neo4j: 12 } as const;
const MEMORIES = 4;

for (const adapter of GRAPH_ADAPTERS) {
  describe(`derived associations in any order: ${adapter.name}`, () => {
    let graph: OpenGraph;
    before(async () => (graph = await adapter.open()));
    after(() => graph.close());

    it('do not depend on grouping or repetition', async () => {
      const runs = HISTORIES[adapter.name as keyof typeof HISTORIES];
      let base = 1_000;
      await fc.assert(
        fc.asyncProperty(historyArbitrary, async ({ changes, shuffle }) => {
          const seen: unknown[] = [];
          for (const isShuffled of [false, true]) {
            base += MEMORIES;
            const before = await countAssociations(graph.reader);
            const events = historyOf(changes, base);
            for (const group of isShuffled
              ? groupsOf([...events, ...events.slice(0, shuffle.length)], shuffle)
              : events.map((event) => [event]))
              await graph.writer.apply(group);
            const edges = await Promise.all(numbers(base).map((number) => associationsFrom(number, graph.reader)));
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
              associations: (await countAssociations(graph.reader)) - before,
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
