/** Tells what was added to an answer from what was found for it, pure. What stands in for an added memory was added as well. */
import type { Evidence } from './candidate.js';

type Found = { readonly evidence: readonly Evidence[] };

export function isExpanded(found: Found): boolean {
  return isByRelation(found) || entityOf(found) !== null;
}

export function isByRelation({ evidence }: Found): boolean {
  return evidence.some(({ source }) => source === 'relation');
}

/** The name that led to it; null for what no entity led to. */
export function entityOf({ evidence }: Found): string | null {
  const found = evidence.find(({ source }) => source === 'entity');
  return found?.source === 'entity' ? found.entity : null;
}
