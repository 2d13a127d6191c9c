/**
 * Finds memories that the vector indexer has passed: it has handled the event of their present version. A point that is
 * still missing then is lost (with the index, or with a discarded dead letter), and waiting for it does not help.
 */
import type { MemoryId } from '../../shared/contract/memory.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import { fleetOf } from '../../shared/journal/projector-fleet.js';
import type { LoadedMemory } from '../../shared/ports/graph.js';
import type { JournalReader, ProjectorStates } from '../../shared/ports/journal.js';
import type { WantedEnrichment } from './wanted-enrichments.js';

export type WantedMemory = { readonly wanted: WantedEnrichment; readonly loaded: LoadedMemory };

export type FindPassed = (missing: readonly WantedMemory[]) => Promise<ReadonlySet<MemoryId>>;

export type FindPassedDependencies = {
  readonly states: Pick<ProjectorStates, 'list'>;
  readonly journal: Pick<JournalReader, 'read'>;
};

export function createFindPassed({ states, journal }: FindPassedDependencies): FindPassed {
  /** The position of the event that made the present version; the graph may be ahead of the event that is handled. */
  async function positionOf({ wanted, loaded: { version } }: WantedMemory): Promise<number> {
    if (version === wanted.version) return wanted.position;
    const [event] = await journal.read({
      after: wanted.position,
      subject: wanted.id,
      afterVersion: version - 1,
      limit: 1,
    });
    return event?.position ?? Infinity;
  }

  return async (missing) => {
    const { furthestBehind } = fleetOf(VECTOR_INDEXER, await states.list());
    const indexed = furthestBehind?.position ?? 0;
    const passed = new Set<MemoryId>();
    for (const one of missing) {
      if (one.wanted.position <= indexed && (await positionOf(one)) <= indexed) passed.add(one.wanted.id);
    }
    return passed;
  };
}
