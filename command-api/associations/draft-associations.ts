/** From the body of a batch POST /associate to drafts: every item is judged alone, and one that fails says why. */
import { BATCH_LIMIT } from '../../shared/contract/limits.js';
import { NotFoundError, ValidationError } from '../../shared/kernel/errors.js';
import { draftAssociation, type AssociationDraft } from './draft-association.js';

/** At the item's place in the body: its draft, or the reason why there is none. */
export type ItemDraft = { readonly draft: AssociationDraft } | { readonly reason: string };

export function draftAssociations(items: readonly unknown[]): readonly ItemDraft[] {
  if (items.length === 0) throw new ValidationError("'associations' must be a non-empty array", 'associations');
  if (items.length > BATCH_LIMIT)
    throw new ValidationError(`Batch size limit is ${BATCH_LIMIT} associations per request`, 'associations');
  return items.map(draftItem);
}

function draftItem(item: unknown): ItemDraft {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return { reason: 'Association item must be an object' };
  try {
    return { draft: draftAssociation(item as Readonly<Record<string, unknown>>) };
  } catch (error) {
    if (error instanceof ValidationError || error instanceof NotFoundError) return { reason: error.message };
    throw error;
  }
}
