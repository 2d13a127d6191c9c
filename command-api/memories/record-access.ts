/**
 * POST /internal/access: records when memories were last read. This is the only write without an event, so it may be
 * lost.
 */
import type { MemoryId, Timestamp } from '../../shared/contract/memory.js';
import type { Handler } from '../../shared/http/handler.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';
import { parseTimestamp } from '../../shared/kernel/timestamps.js';

export type Touch = (ids: readonly MemoryId[], at: Timestamp) => Promise<void>;

export function createRecordAccess({ touch }: { readonly touch: Touch }): Handler<'recordAccess'> {
  return async ({ body }) => {
    const at = parseTimestamp(body.at);
    if (at === null) throw new ValidationError("'at' must be an ISO 8601 time", 'at');
    await touch(
      body.ids.flatMap((id) => parseMemoryId(id) ?? []),
      at,
    );
    return { status: 200, body: { status: 'success' } };
  };
}
