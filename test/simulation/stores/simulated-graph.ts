/**
 * The simulated graph: one store for all processes, with the mark that `createMarkMover` of production moves. Its
 * accidents: it goes back to an earlier state, it is emptied, it is down, and it cannot apply an event.
 */
import { associationSubject } from '../../../shared/contract/association.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { Statement } from '../../../shared/engines/neo4j/neo4j.js';
import { createMarkMover } from '../../../shared/engines/neo4j/neo4j-graph-mark.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import type { GraphReader, LoadedMemory } from '../../../shared/ports/graph.js';
import type { GraphMark, MarkMemory, MarkNode } from '../../../shared/ports/graph-mark.js';
import type { SimulatedProcess, World } from '../world/world.js';
import { applyToGraph, EMPTY_GRAPH, type GraphState } from './graph-state.js';

type Stored = {
  readonly graph: GraphState;
  readonly journalId: string | null;
  /** By the name of the slot; each running transaction moves one. */
  readonly slots: ReadonlyMap<string, MarkNode>;
  readonly replayId: string | null;
};

export type GraphPorts = {
  readonly graph: Pick<GraphReader, 'ping' | 'memories' | 'tombstones' | 'associations'>;
  readonly graphWriter: {
    readonly apply: (events: readonly RecordedEvent[]) => Promise<void>;
    readonly applyReplayed: (events: readonly RecordedEvent[]) => Promise<void>;
    readonly markMemory: MarkMemory;
    readonly clearHub: () => Promise<boolean>;
  };
  readonly graphMark: GraphMark;
  readonly ensureSchema: () => Promise<void>;
};

export interface SimulatedGraph {
  readonly portsOf: (process: SimulatedProcess) => GraphPorts;
  readonly state: () => GraphState;
  readonly position: () => number;
  /** True when a node of the mark has this event: some process applied it last. */
  readonly marks: (eventId: string) => boolean;
  /** Goes back to the state before the last changes. */
  readonly goBack: (changes: number) => void;
  readonly empty: () => void;
  readonly setDown: (isDown: boolean) => void;
  /** The graph fails for each event of the next memory that changes, until it is healed. */
  readonly poisonNext: () => void;
  readonly heal: () => void;
}

const NEW: Stored = { graph: EMPTY_GRAPH, journalId: null, slots: new Map(), replayId: null };
const SLOTS = Array.from({ length: 64 }, (_, slot) => `applied-${slot}`);

export function createSimulatedGraph(world: World): SimulatedGraph {
  let now = NEW;
  let earlier: Stored[] = [];
  let isDown = false;
  const poisoned = new Set<string>();
  let isPoisoning = false;

  function change(to: Partial<Stored>): void {
    earlier.push(now);
    now = { ...now, ...to };
  }

  function lastSlot(): MarkNode | null {
    let last: MarkNode | null = null;
    for (const slot of now.slots.values()) if (!last || slot.position > last.position) last = slot;
    return last;
  }

  /** The statement that `createMarkMover` makes, in this model. Throws in a graph of another journal. */
  function advance({ given, check }: Statement): ReadonlyMap<string, MarkNode> {
    const { name, position, eventId, expected, changes, journalId, isReplay } = given as {
      readonly name: string;
      readonly position: number;
      readonly eventId: string;
      readonly expected: number;
      readonly changes: number;
      readonly journalId: string | null;
      readonly isReplay: boolean;
    };
    const slot = now.slots.get(name);
    if (!slot) return now.slots;
    const counted = slot.changes + 1;
    const isPutBack = counted <= changes;
    const isExpected = isReplay ? now.replayId !== null : !isPutBack && (lastSlot()?.position ?? 0) >= expected;
    const moves = slot.position < position && isExpected;
    const isForeign = journalId !== null && now.journalId !== journalId;
    check?.([{ isForeign, moves, before: slot.position, isPutBack, changes: counted }]);
    return new Map(now.slots).set(name, { ...(moves ? { position, eventId } : slot), changes: counted });
  }

  return {
    portsOf: (process) => {
      const mover = createMarkMover();
      const call = <T>(step: string, serve: () => T): Promise<T> =>
        world.call(process, step, () => {
          if (isDown) throw new DependencyError('graph', 'The simulated graph is down');
          return serve();
        });
      const loaded = (id: MemoryId): readonly LoadedMemory[] => {
        const node = now.graph.nodes.get(id);
        return node?.state
          ? [{ ...node.state, version: node.version, revision: node.revision, position: 0 }] // no process reads it
          : [];
      };
      async function apply(events: readonly RecordedEvent[], isReplay: boolean): Promise<void> {
        const [first] = events;
        if (!first) return;
        const last = events.reduce((one, other) => (other.position > one.position ? other : one), first);
        const what = `graph.apply ${events.map(({ position }) => position).join(' ')}`;
        const run = (statement: Statement) => call(what, () => serve(events, statement));
        await mover.advance({ position: last.position, id: last.id, isReplay }, run);
      }
      function serve(events: readonly RecordedEvent[], statement: Statement): void {
        const changed = events.find(({ type }) => type === 'memory.updated');
        if (isPoisoning && changed) {
          isPoisoning = false;
          poisoned.add(changed.subject);
        }
        const bad = events.find(({ subject }) => poisoned.has(subject));
        if (bad)
          throw new DependencyError('graph', `The simulated graph cannot apply ${bad.subject}`, {
            isReachable: true,
          });
        change({ graph: applyToGraph(now.graph, events), slots: advance(statement) });
      }
      return {
        graph: {
          ping: () => call('ping graph', () => undefined),
          memories: (ids) => call('graph.memories', () => ids.flatMap(loaded)),
          tombstones: (ids) =>
            call('graph.tombstones', () => {
              const nodes = ids.flatMap((id) => {
                const node = now.graph.nodes.get(id);
                return node && node.state === null ? [[id, node] as const] : [];
              });
              return new Map(nodes.map(([id, { version, revision }]) => [id, { version, revision }]));
            }),
          associations: (keys) =>
            call('graph.associations', () =>
              keys.flatMap((key) => now.graph.associations.get(associationSubject(key)) ?? []),
            ),
        },
        graphWriter: {
          apply: (events) => apply(events, false),
          applyReplayed: (events) => apply(events, true),
          markMemory: mover,
          clearHub: () => call('graph.clearHub', () => false),
        },
        graphMark: {
          read: () =>
            call('graph.mark', () => {
              const slot = lastSlot();
              if (now.journalId === null || !slot) return null;
              const { position, eventId } = slot;
              return {
                journalId: now.journalId,
                position,
                eventId,
                nodes: now.slots,
                replayId: now.replayId,
              };
            }),
          begin: ({ journalId, position, eventId }) =>
            call('graph.beginMark', () => {
              if (now.journalId !== null) return;
              change({ journalId, slots: new Map(SLOTS.map((name) => [name, { position, eventId, changes: 0 }])) });
            }),
          beginReplay: (replayId) => call('graph.beginReplay', () => change({ replayId })),
          endReplay: (replayId) =>
            call('graph.endReplay', () => {
              const isSame = now.replayId === replayId;
              if (isSame) change({ replayId: null });
              return isSame;
            }),
          hasSubjects: () => call('graph.hasSubjects', () => now.graph.nodes.size > 0),
        },
        ensureSchema: () => call('graph.ensureSchema', () => undefined),
      };
    },
    state: () => now.graph,
    position: () => lastSlot()?.position ?? 0,
    marks: (eventId) => [...now.slots.values()].some((slot) => slot.eventId === eventId),
    goBack: (changes) => {
      const kept = Math.max(0, earlier.length - changes);
      now = earlier[kept] ?? now;
      earlier = earlier.slice(0, kept);
    },
    empty: () => change(NEW),
    setDown: (down) => {
      isDown = down;
    },
    poisonNext: () => {
      isPoisoning = true;
    },
    heal: () => {
      isPoisoning = false;
      poisoned.clear();
    },
  };
}
