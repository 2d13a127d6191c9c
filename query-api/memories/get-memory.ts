/** GET /memory/:id: one memory, whatever its state, with its associations in both directions. */
import { etagOf, type Handler } from '../../shared/http/handler.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { NoteAccess } from '../note-access.js';
import { relationReply } from '../relation-reply.js';
import { visibleGraph } from '../visible-graph.js';

const RELATION_LIMIT = 200;

type Dependencies = { readonly graph: GraphReader; readonly noteAccess: NoteAccess };

export function createGetMemory({ graph, noteAccess }: Dependencies): Handler<'getMemory'> {
  return async ({ params: { id }, context }) => {
    const visible = visibleGraph(graph, context.tag);
    const [[loaded], relations] = await Promise.all([
      visible.memories([id]),
      visible.relations({ ids: [id], direction: 'both', limit: RELATION_LIMIT }),
    ]);
    if (!loaded) throw new NotFoundError('Memory not found');
    return {
      status: 200,
      headers: { ETag: etagOf(loaded.revision) },
      body: {
        status: 'success',
        memory: { ...loaded.memory, relations: (relations.get(id) ?? []).map(relationReply) },
      },
      onSent: noteAccess([id]),
    };
  };
}
