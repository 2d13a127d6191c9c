/** POST /admin/memories/:id/restore: undoes the archiving of a memory. One that is not archived stays as it is. */
import type { Memory } from '../../shared/contract/memory.js';
import { etagOf, type Handler } from '../../shared/http/handler.js';
import type { GraphReader, LoadedMemory } from '../../shared/ports/graph.js';
import type { CommandHandling } from '../command-handling.js';
import { type Decision, type Facts, type IfMatch, NOTHING_CHANGES, requirePresent } from '../decision.js';
import { consolidated } from './record-consolidation.js';

const REASON = 'An administrator restored it.';
const PROTECTED_REASON = 'Restored from the archive';

export function createRestoreMemory({
  commands,
  graph,
}: {
  readonly commands: CommandHandling;
  readonly graph: Pick<GraphReader, 'memories'>;
}): Handler<'restoreMemory'> {
  return ({ params: { id }, context }) =>
    commands.handle(context, {
      memoryId: id,
      load: async () => (await graph.memories([id]))[0],
      decide: (loaded) => decideRestore(loaded, { ...commands.facts(context, 1), ifMatch: context.ifMatch }),
      answer: (events, loaded) => {
        const revision = events[0]?.revision ?? loaded?.revision;
        return {
          status: 200,
          body: { status: 'success', memory_id: id, restored: events.length > 0 },
          ...(revision === undefined ? {} : { headers: { ETag: etagOf(revision) } }),
        };
      },
    });
}

/** The memory becomes protected, so that the next consolidation does not archive it again. */
export function decideRestore(found: LoadedMemory | undefined, facts: Facts & IfMatch): Decision {
  const loaded = requirePresent(found, facts);
  if (loaded.memory.archived !== true) return NOTHING_CHANGES;
  const { archived: _archived, archived_at: _archivedAt, ...kept } = loaded.memory;
  const memory: Memory = { protected_reason: PROTECTED_REASON, ...kept, protected: true };
  return consolidated('memory.restored', { loaded, memory, reason: REASON }, facts);
}
