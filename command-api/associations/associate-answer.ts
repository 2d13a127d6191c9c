/** Builds the answers of POST /associate from the request and its events alone, so that a repeated request gets the same answer. */
import { associationSubject } from '../../shared/contract/association.js';
import type { RecordedEvent } from '../../shared/contract/events.js';
import type { ReplyOf } from '../../shared/contract/operations.js';
import type { ReplyFor } from '../../shared/http/handler.js';
import { type AssociationDraft, ENDS_MISSING, type ItemDraft } from './draft-association.js';

export function associateAnswer({
  source,
  target,
  type,
  strength,
  properties,
}: AssociationDraft): ReplyFor<'associate'> {
  return {
    status: 201,
    body: {
      status: 'success',
      message: `Association created between ${source} and ${target}`,
      relation_type: type,
      strength,
      ...properties,
    },
  };
}

type Succeeded = ReplyOf<'associate', 207>['succeeded'][number];
type Failed = ReplyOf<'associate', 207>['failed'][number];

/** A valid draft without an event has missing memories: there is no other reason. */
export function associateBatchAnswer(
  items: readonly ItemDraft[],
  events: readonly RecordedEvent[],
): ReplyFor<'associate'> {
  const subjects = new Set(events.map(({ subject }) => subject));
  const results = items.map((item, index): Succeeded | Failed => {
    if ('reason' in item) return { index, reason: item.reason };
    const { source, target, type, strength } = item.draft;
    if (!subjects.has(associationSubject(item.draft))) return { index, reason: ENDS_MISSING };
    return { index, memory1_id: source, memory2_id: target, relation_type: type, strength };
  });
  const succeeded = results.filter((result): result is Succeeded => !('reason' in result));
  const failed = results.filter((result) => 'reason' in result);
  return {
    status: failed.length === 0 ? 201 : 207,
    body: {
      status: failed.length === 0 ? 'success' : 'partial_success',
      created_count: succeeded.length,
      failed_count: failed.length,
      succeeded,
      failed,
      summary: `${succeeded.length}/${items.length} associations created successfully`,
    },
  };
}
