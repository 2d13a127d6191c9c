/** What a simulated statement gets and returns. Statements are found by the names that production gives them. */
import type { LockStrength } from './locks.js';
import type { View } from './tables.js';

export type Outcome = { readonly rows: readonly object[]; readonly count?: number };

export interface Scope {
  readonly view: View;
  readonly params: readonly unknown[];
  /** The clock of the database, in ms. */
  readonly now: number;
  /** Waits for a lock that ends with the transaction. */
  readonly lock: (name: string, strength: LockStrength) => Promise<void>;
  /** True when the lock of a session is free for a shared holder. */
  readonly isUnlocked: (name: string) => boolean;
  /** Notifies the channel when the transaction commits. */
  readonly notify: (channel: string) => void;
  /** The next value of a sequence, which no rollback returns. */
  readonly next: (sequence: 'journal_position' | 'dead_letter_id') => number;
  /** The settings of this transaction. */
  readonly settings: Map<string, string>;
}

export type SimulatedStatement = (scope: Scope) => Outcome | Promise<Outcome>;
/** By `component.name`. */
export type SimulatedStatements = Readonly<Record<string, SimulatedStatement>>;

export const NO_ROWS: Outcome = { rows: [], count: 0 };
export const rows = (found: readonly object[]): Outcome => ({ rows: found, count: found.length });

/** In order of a number. */
export function sortedBy<T>(items: readonly T[], keyOf: (item: T) => number): readonly T[] {
  return [...items].sort((one, other) => keyOf(one) - keyOf(other));
}

/** In the order of the collation "C". */
export function sortedByText<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  return [...items].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0));
}

/** The head of the journal; 0 for an empty one. */
export function headOf(view: View): number {
  let head = 0;
  for (const { position } of view.all('journal')) head = Math.max(head, position);
  return head;
}
