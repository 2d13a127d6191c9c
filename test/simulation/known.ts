/**
 * The schedules of issue 32 that the code of today does not survive. A row is removed when it is mended: from then on
 * its violations fail the test.
 */
import type { FaultKind, PlannedFault } from './faults.js';
import type { Invariant, Violation } from './invariants.js';

type Known = {
  /** In the table of the issue. */
  readonly row: number;
  /** One of these faults happened. */
  readonly faults: readonly FaultKind[];
  readonly invariants: readonly Invariant[];
};

export const KNOWN: readonly Known[] = [];

/** The row of a known schedule; null for a violation that nothing explains. */
export function knownRow({ invariant }: Violation, faults: readonly PlannedFault[]): number | null {
  const kinds = new Set(faults.map(({ kind }) => kind));
  const known = KNOWN.find((one) => one.invariants.includes(invariant) && one.faults.some((fault) => kinds.has(fault)));
  return known?.row ?? null;
}
