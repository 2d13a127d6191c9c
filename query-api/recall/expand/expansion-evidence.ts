/**
 * Distinguishes results that the expansion added from results that the search found, pure. A memory that replaces an
 * added one counts as added.
 */
import type { HydratedCandidate } from '../candidate.js';
import { leadingEvidence } from '../hydrate/evidence.js';

type Found = Pick<HydratedCandidate, 'evidence' | 'replaces'>;

export function isExpanded(result: Found): boolean {
  return isByAssociation(result) || entityOf(result) !== null;
}

export function isByAssociation(result: Found): boolean {
  return leadingEvidence(result).some(({ source }) => source === 'relation');
}

/** The name of the entity that led to it; null when none did. */
export function entityOf(result: Found): string | null {
  const found = leadingEvidence(result).find(({ source }) => source === 'entity');
  return found?.source === 'entity' ? found.entity : null;
}
