/**
 * The simulated vector index: points guarded by versions, tombstones, and the mark that only moves forward in one
 * journal. Its accident: it is emptied.
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
}

/** `onWrite`: called for each point that is written. */
export function createSimulatedIndex(
  world: World,
  onWrite: (written: { readonly id: string; readonly version: number; readonly process: string }) => void,
): SimulatedIndex {
  const points = new Map<string, IndexPoint>();
  let mark: JournalMark | null = null;

  function put(process: SimulatedProcess, id: string, point: IndexPoint, replaceEqual = false): void {
    const known = points.get(id)?.version ?? 0;
    if (known > point.version || (known === point.version && !replaceEqual)) return;
    points.set(id, point);
    onWrite({ id, version: point.version, process: process.name });
  }

  return {
    points: () => points,
    mark: () => mark,
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
          upsert: (given, { replaceEqual } = {}) =>
            call(`index.upsert ${given.map(({ id, version }) => `${id.slice(0, 8)} v${version}`).join(' ')}`, () => {
              for (const { id, version, vector, payload } of given)
                put(process, id, { version, stored: { vector: [...vector], payload } }, replaceEqual);
            }),
          remove: (given, { replaceEqual } = {}) =>
            call(`index.remove ${given.map(({ id, version }) => `${id.slice(0, 8)} v${version}`).join(' ')}`, () => {
              for (const { id, version } of given) put(process, id, { version, stored: null }, replaceEqual);
            }),
        },
        mark: {
          read: () => call('index.mark', () => mark),
          advance: (to) =>
            call(`index.advance ${to.position}`, () => {
              if (mark === null || (mark.journalId === to.journalId && mark.position < to.position)) mark = to;
            }),
        },
      };
    },
  };
}
