/** What an event may be about, as callers spell it. */
import { ASSOCIATION_TYPES, associationSubject, type AssociationType } from '../../shared/contract/association.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';

/** The subject as the journal knows it: a memory's id, or an association's `source|TYPE|target`; null for anything else. */
export function parseSubject(text: string): string | null {
  const [source = '', type, target = '', ...rest] = text.split('|');
  const from = parseMemoryId(source);
  if (from === null || type === undefined) return from;
  const to = parseMemoryId(target);
  return to !== null && isAssociationType(type) && rest.length === 0
    ? associationSubject({ source: from, type, target: to })
    : null;
}

function isAssociationType(text: string): text is AssociationType {
  return Object.hasOwn(ASSOCIATION_TYPES, text);
}
