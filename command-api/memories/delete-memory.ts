/**
 * DELETE /memory/:id. Does not wait for the vector index, which follows the event: recall drops hits that are not in
 * the graph.
 */
import type { Handler } from '../../shared/http/handler.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { CommandHandling } from '../command-handling.js';
import { decideDelete } from './decide-delete.js';

export type DeleteDeps = { readonly commands: CommandHandling; readonly graph: Pick<GraphReader, 'memories'> };

export function createDeleteMemory({ commands, graph }: DeleteDeps): Handler<'deleteMemory'> {
  return async ({ params: { id }, context }) =>
    commands.handle(context, {
      load: async () => (await graph.memories([id]))[0],
      decide: (loaded) => decideDelete(loaded, { ...commands.facts(context, 1), ifMatch: context.ifMatch }),
      answer: () => ({ status: 200, body: { status: 'success', memory_id: id } }),
    });
}
