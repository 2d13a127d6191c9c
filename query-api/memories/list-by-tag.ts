/** GET /memory/by-tag: every memory with one of the tags, whatever its state, page by page. */
import { BY_TAG_LIMIT } from '../../shared/contract/limits.js';
import type { Handler } from '../../shared/http/handler.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { NoteAccess } from '../note-access.js';
import { visibleGraph } from '../visible-graph.js';

const DEFAULT_LIMIT = 20;

type Dependencies = { readonly graph: GraphReader; readonly noteAccess: NoteAccess };

export function createListByTag({ graph, noteAccess }: Dependencies): Handler<'listByTag'> {
  return async ({ query, context }) => {
    const tags = query.tags ?? [];
    if (tags.length === 0) throw new ValidationError("'tags' query parameter is required", 'tags');
    const limit = Math.min(Math.max(1, query.limit ?? DEFAULT_LIMIT), BY_TAG_LIMIT);
    const offset = Math.max(0, query.offset ?? 0);
    const { memories: loaded, hasMore } = await visibleGraph(graph, context.tag).byTag({ tags, offset, limit });
    const memories = loaded.map(({ memory }) => memory);
    return {
      status: 200,
      body: { status: 'success', tags, count: memories.length, limit, offset, has_more: hasMore, memories },
      onSent: noteAccess(memories.map(({ id }) => id)),
    };
  };
}
