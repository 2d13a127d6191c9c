/** Distinguishes kinds of evidence, pure: a listing from a match, and the evidence of a memory from what led to it. */
import type { Evidence, HydratedCandidate } from '../candidate.js';

const LISTINGS: ReadonlySet<Evidence['source']> = new Set(['trending', 'tag', 'profile']);

/** Whether a source listed the memory by its importance or time, without comparing it with a query. */
export function isListing({ source }: Evidence): boolean {
  return LISTINGS.has(source);
}

/** Everything that led to a candidate: its own evidence and that of the memory which it replaces. */
export function leadingEvidence({
  evidence,
  replaces,
}: Pick<HydratedCandidate, 'evidence' | 'replaces'>): readonly Evidence[] {
  return replaces === null ? evidence : [...evidence, ...replaces.evidence];
}
