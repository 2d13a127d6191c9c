/** PATCH /memory/:id: commits the change, then waits briefly for the vector of new content; the answer does not depend on the vector. */
import { etagOf, type Handler } from '../../shared/http/handler.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { CommandHandling } from '../command-handling.js';
import type { VectorWait } from '../vector-wait.js';
import { decideUpdate } from './decide-update.js';
import type { MemoryLimits } from './draft-memory.js';
import { draftUpdate } from './draft-update.js';

export type UpdateDeps = {
  readonly commands: CommandHandling;
  readonly graph: Pick<GraphReader, 'memories'>;
  readonly vectors: VectorWait;
  readonly limits: MemoryLimits;
  readonly vectorWaitMs: number;
};

export function createUpdateMemory({
  commands,
  graph,
  vectors,
  limits,
  vectorWaitMs,
}: UpdateDeps): Handler<'updateMemory'> {
  return async ({ params: { id }, body, context }) => {
    const change = draftUpdate(body, limits);
    return commands.handle(context, {
      load: async () => (await graph.memories([id]))[0],
      decide: (loaded) => decideUpdate(loaded, change, { ...commands.facts(context, 1), ifMatch: context.ifMatch }),
      answer: async (events, loaded) => {
        const [event] = events;
        if (change.content !== undefined)
          await vectors.states(events, { waitMs: vectorWaitMs, signal: context.signal });
        const revision = event?.revision ?? loaded?.revision;
        return {
          status: 200,
          body: { status: 'success', memory_id: id },
          ...(revision === undefined ? {} : { headers: { ETag: etagOf(revision) } }),
        };
      },
    });
  };
}
