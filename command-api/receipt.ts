/**
 * The receipt of a write: where its last event stands in the journal. Positions are given at the commit, so every answer to a write that
 * changed something has one, also when it is a repeated one; reads take it as `consistent_with`.
 */
import type { RecordedEvent } from '../shared/contract/events.js';
import { RECEIPT_HEADER } from '../shared/contract/receipt.js';
import type { Reply } from '../shared/http/handler.js';

/** `last`: the last event that the answer stands on; the answer itself when nothing changed. */
export function withReceipt(answer: Reply, last: Pick<RecordedEvent, 'position'> | undefined): Reply {
  return last === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, [RECEIPT_HEADER]: String(last.position) } };
}
