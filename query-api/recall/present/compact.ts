/** Leaves out of a reply what `detail=compact` does not show, pure. */
import type { ReplyOf } from '../../../shared/contract/operations.js';
import type { CompactResult, RecallResult } from '../../../shared/contract/recall-reply.js';
import type { WholeReply } from './present.js';

export function compactReply({ results, ...reply }: WholeReply): ReplyOf<'recall'> {
  return { ...reply, results: results.map(compactResult) };
}

function compactResult({ id, score, match_type, memory, explain }: RecallResult): CompactResult {
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
