/**
 * The simulated vector index: points guarded by versions, tombstones, and the mark that only moves forward in one
 * journal. Its accidents: it goes back to an earlier state, and it is emptied.
 */
import type { JournalMark } from '../../../shared/contract/envelope.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { IndexMark } from '../../../shared/ports/index-mark.js';
import type { PointPayload, VectorIndexReader, VectorIndexWriter } from '../../../shared/ports/vectors.js';
import type { SimulatedProcess, World } from '../world/world.js';

export type IndexPoint = {
  readonly version: number;
  /** Null for a removed point. */
  readonly stored: { readonly vector: readonly number[]; readonly payload: PointPayload } | null;
};

export type IndexPorts = {
  readonly reader: Pick<VectorIndexReader, 'versions'>;
  readonly writer: Pick<VectorIndexWriter, 'upsert' | 'remove'>;
  readonly mark: IndexMark;
};

export interface SimulatedIndex {
  readonly portsOf: (process: SimulatedProcess) => IndexPorts;
  readonly points: () => ReadonlyMap<string, IndexPoint>;
  readonly mark: () => JournalMark | null;
  /** Goes back to the state before the last changes. */
  readonly goBack: (changes: number) => void;
  readonly empty: () => void;
}

/** `onWrite`: called for each point that is written. */
export function createSimulatedIndex(
  world: World,
  onWrite: (written: { readonly id: string; readonly version: number; readonly process: string }) => void,
): SimulatedIndex {
  const points = new Map<string, IndexPoint>();
  let mark: JournalMark | null = null;
  /** Each undoes one change. */
  let undo: (() => void)[] = [];

  function put(process: SimulatedProcess, id: string, point: IndexPoint): void {
    const before = points.get(id);
    if (before && before.version > point.version) return;
    points.set(id, point);
    undo.push(() => (before ? points.set(id, before) : points.delete(id)));
    onWrite({ id, version: point.version, process: process.name });
  }

  return {
    points: () => points,
    mark: () => mark,
    goBack: (changes) => {
      const kept = Math.max(0, undo.length - changes);
      for (const back of undo.slice(kept).reverse()) back();
      undo = undo.slice(0, kept);
    },
    empty: () => {
      points.clear();
      mark = null;
      undo = [];
    },
    portsOf: (process) => {
      const call = <T>(step: string, serve: () => T): Promise<T> => world.call(process, step, serve);
      const versions = (ids: readonly MemoryId[]): ReadonlyMap<MemoryId, number> =>
        new Map(
          ids.flatMap((id) => {
            const point = points.get(id);
            return point?.stored ? [[id, point.version] as const] : [];
          }),
        );
      return {
        reader: { versions: (ids) => call('index.versions', () => versions(ids)) },
        writer: {
          upsert: (given) =>
            call(`index.upsert ${given.map(({ id, version }) => `${id.slice(0, 8)} v${version}`).join(' ')}`, () => {
              for (const { id, version, vector, payload } of given)
                put(process, id, { version, stored: { vector: [...vector], payload } });
            }),
          remove: (given) =>
            call(`index.remove ${given.map(({ id, version }) => `${id.slice(0, 8)} v${version}`).join(' ')}`, () => {
              for (const { id, version } of given) put(process, id, { version, stored: null });
            }),
        },
        mark: {
          read: () => call('index.mark', () => mark),
          advance: (to) =>
            call(`index.advance ${to.position}`, () => {
              const before = mark;
              if (before !== null && (before.journalId !== to.journalId || before.position >= to.position)) return;
              mark = to;
              undo.push(() => (mark = before));
            }),
        },
      };
    },
  };
}
