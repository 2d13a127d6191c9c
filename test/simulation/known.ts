/**
 * The schedules of issue 32 that the code of today does not survive. A row is removed when it is mended: from then on
 * its violations fail the test.
 */
import { FAULT_KINDS, type FaultKind, type PlannedFault } from './faults.js';
import type { Invariant, Violation } from './invariants.js';

type Known = {
  /** In the table of the issue. */
  readonly row: number;
  /** One of these faults happened. */
  readonly faults: readonly FaultKind[];
  readonly invariants: readonly Invariant[];
};

const FAILOVER: readonly FaultKind[] = ['failover to an asynchronous standby', 'failover during a step'];

export const KNOWN: readonly Known[] = [
  {
    row: 1,
    faults: FAILOVER,
    invariants: [
      'the graph is the fold of the journal',
      'the index is the fold of the journal',
      'a reply with `graph: true` shows the write',
    ],
  },
  { row: 2, faults: FAILOVER, invariants: ['no event stays pending', 'every event is published'] },
  { row: 7, faults: FAILOVER, invariants: ['no event loses its row in the outbox'] },
  { row: 5, faults: ['graph emptied', 'graph put back'], invariants: ['a reply with `graph: true` shows the write'] },
  {
    row: 8,
    faults: ['pause of a relay', 'pause at a step', 'failover during a step'],
    invariants: ['erased words do not return to the topic'],
  },
  // A new group catches up too, so it needs no fault.
  { row: 10, faults: FAULT_KINDS, invariants: ['the index shows no event that the graph lacks'] },
];

/** The row of a known schedule; null for a violation that nothing explains. */
export function knownRow({ invariant }: Violation, faults: readonly PlannedFault[]): number | null {
  const kinds = new Set(faults.map(({ kind }) => kind));
  const known = KNOWN.find((one) => one.invariants.includes(invariant) && one.faults.some((fault) => kinds.has(fault)));
  return known?.row ?? null;
}
