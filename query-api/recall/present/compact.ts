/** Leaves out of a reply what `detail=compact` does not show, pure. */
import type { present } from './present.js';

type Reply = ReturnType<typeof present>;

export function compactReply({ results, ...reply }: Reply) {
  return { ...reply, results: results.map(compactResult) };
}

function compactResult({ id, score, match_type, memory, explain }: Reply['results'][number]) {
  const { content, type, tags, timestamp, updated_at } = memory;
  return {
    id,
    content,
    type,
    tags,
    score,
    match_type,
    timestamp,
    updated_at,
    ...(explain === undefined ? {} : { explain }),
  };
}
