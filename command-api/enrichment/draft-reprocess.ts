/** Which memories a caller of POST /enrichment/reprocess names: in the body as a list or a text with commas, or in the query. */
import { BATCH_LIMIT } from '../../shared/contract/limits.js';
import { ValidationError } from '../../shared/kernel/errors.js';

/** Each once, sorted, as they were spelt. What is no text is passed over. */
export function draftReprocess(
  { ids }: { readonly ids?: unknown },
  query: { readonly ids?: readonly string[] },
): readonly string[] {
  const named = namesIn(ids);
  const wanted = [...new Set(named.length === 0 ? (query.ids ?? []) : named)].sort();
  if (wanted.length === 0) throw new ValidationError('No memory ids provided for reprocessing', 'ids');
  if (wanted.length > BATCH_LIMIT)
    throw new ValidationError(`'ids' must have at most ${BATCH_LIMIT} items (${wanted.length} provided)`, 'ids');
  return wanted;
}

function namesIn(ids: unknown): readonly string[] {
  const listed: readonly unknown[] = typeof ids === 'string' ? ids.split(',') : Array.isArray(ids) ? ids : [];
  return listed
    .filter((id) => typeof id === 'string')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}
