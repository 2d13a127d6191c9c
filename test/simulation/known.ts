/**
 * Schedules that the code does not survive yet: none today. An entry has the schedule as a comment, and is removed when
 * it is mended: from then on its violations fail the test.
 */
import type { FaultKind, PlannedFault } from './faults.js';
import type { Invariant, Violation } from './invariants.js';

type Known = {
  readonly name: string;
  /** One of these faults happened. */
  readonly faults: readonly FaultKind[];
  readonly invariants: readonly Invariant[];
};

export const KNOWN: readonly Known[] = [];

/** The name of a known schedule; null for a violation that nothing explains. */
export function knownName({ invariant }: Violation, faults: readonly PlannedFault[]): string | null {
  const kinds = new Set(faults.map(({ kind }) => kind));
  const known = KNOWN.find((one) => one.invariants.includes(invariant) && one.faults.some((fault) => kinds.has(fault)));
  return known?.name ?? null;
}
