/** The answers of POST /associate, made from the request and its events alone: a repeated request reads the same. */
import { associationSubject } from '../../shared/contract/association.js';
import type { RecordedEvent } from '../../shared/contract/events.js';
import type { Answer } from '../handle.js';
import { ENDS_MISSING, type AssociationDraft } from './draft-association.js';
import type { ItemDraft } from './draft-associations.js';

export function associateAnswer({ source, target, type, strength, properties }: AssociationDraft): Answer {
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

/** An item without an event is one whose memories were missing: nothing else keeps a valid draft from becoming one. */
export function associateBatchAnswer(items: readonly ItemDraft[], events: readonly RecordedEvent[]): Answer {
  const made = new Set(events.map(({ subject }) => subject));
  const judged = items.map((item, index) => {
    if ('reason' in item) return { index, reason: item.reason };
    const { source, target, type, strength } = item.draft;
    if (!made.has(associationSubject(item.draft))) return { index, reason: ENDS_MISSING };
    return { index, memory1_id: source, memory2_id: target, relation_type: type, strength };
  });
  const succeeded = judged.filter((item) => !('reason' in item));
  const failed = judged.filter((item) => 'reason' in item);
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
