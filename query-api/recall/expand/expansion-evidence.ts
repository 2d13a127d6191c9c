/**
 * Distinguishes results that the expansion added from results that the search found, pure. A memory that replaces an
 * added one counts as added.
 */
import type { Evidence } from '../candidate.js';

type WithEvidence = { readonly evidence: readonly Evidence[] };

export function isExpanded(result: WithEvidence): boolean {
  return isByAssociation(result) || entityOf(result) !== null;
}

export function isByAssociation({ evidence }: WithEvidence): boolean {
  return evidence.some(({ source }) => source === 'relation');
}

/** The name of the entity that led to it; null when none did. */
export function entityOf({ evidence }: WithEvidence): string | null {
  const found = evidence.find(({ source }) => source === 'entity');
  return found?.source === 'entity' ? found.entity : null;
}
