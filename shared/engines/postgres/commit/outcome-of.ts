/** Derives a command's outcome from its verdict and from what the graph applied. Pure. */
import type { RecordedEvent } from '../../../contract/events.js';
import { DependencyError, toError } from '../../../kernel/errors.js';
import type { Outcome } from '../../../ports/committer.js';
import type { Failed } from '../../sql/outcomes-of.js';
import type { Rejected } from './apply-parts.js';
import type { Checked } from './commit-point.js';
import type { Unapplied } from './find-unapplied.js';
import { unfinishedError } from './unfinished-error.js';

export type GroupState = {
  readonly unapplied: Unapplied;
  /** The whole group, for commands that repeat another command of it. */
  readonly group: readonly (Checked | Failed)[];
  readonly rejected: Rejected;
};

export function outcomeOf(checked: Checked | Failed, state: GroupState): Outcome | Failed {
  if (checked.kind === 'failed') return checked;
  const { unapplied, group, rejected } = state;
  const { verdict } = checked;
  const isConcerned = concernOf(checked, group);
  switch (verdict.kind) {
    case 'accepted':
      return unlessRejected({ kind: 'committed', events: checked.events }, rejected);
    case 'repeated':
      return (
        unfinishedOf(state, isConcerned) ??
        unlessRejected({ kind: 'repeated', events: unapplied.eventsOf(verdict.range) }, rejected)
      );
    case 'repeated_here':
      return unlessRejected({ kind: 'repeated', events: eventsOf(group, verdict.accepted.id) }, rejected);
    case 'conflict':
    case 'absent':
      return unfinishedOf(state, isConcerned) ?? verdict;
    default:
      return verdict;
  }
}

/** Which events the outcome of a command depends on. */
export function concernOf(checked: Checked | Failed, group: GroupState['group']): (event: RecordedEvent) => boolean {
  if (checked.kind === 'failed') return () => false;
  const { verdict } = checked;
  switch (verdict.kind) {
    case 'accepted':
      return isAmong(checked.events);
    case 'repeated':
      return ({ position }) => position >= verdict.range.first && position <= verdict.range.last;
    case 'repeated_here':
      return isAmong(eventsOf(group, verdict.accepted.id));
    case 'conflict':
      return ({ subject }) => subject === verdict.subject;
    case 'absent':
      return ({ subject }) => subject === verdict.memoryId;
    default:
      return () => false;
  }
}

function isAmong(events: readonly RecordedEvent[]): (event: RecordedEvent) => boolean {
  const positions = new Set(events.map(({ position }) => position));
  return ({ position }) => positions.has(position);
}

/**
 * After a failure behind the commit point: accepted commands are committed and will be applied; refused ones committed
 * nothing.
 */
export function outcomeAfterFailure(checked: Checked | Failed, failure: unknown): Outcome | Failed {
  if (checked.kind === 'failed' || checked.verdict.kind === 'key_reused') return outcomeOf(checked, NOTHING_APPLIED);
  const isCommitted = checked.verdict.kind !== 'conflict' && checked.verdict.kind !== 'absent';
  return { kind: 'failed', error: isCommitted ? withUnknownOutcome(failure) : toError(failure) };
}

const NOTHING_APPLIED: GroupState = {
  unapplied: { pending: [], unfinished: [], eventsOf: () => [] },
  group: [],
  rejected: new Map(),
};

function unfinishedOf({ unapplied }: GroupState, matches: (event: RecordedEvent) => boolean): Failed | undefined {
  const found = unapplied.unfinished.find(({ event }) => matches(event));
  return found && { kind: 'failed', error: unfinishedError(found) };
}

function unlessRejected(
  outcome: Outcome & { readonly events: readonly RecordedEvent[] },
  rejected: Rejected,
): Outcome | Failed {
  if (!outcome.events.some(({ position }) => rejected.has(position))) return outcome;
  const message = 'The change is saved, but the graph could not apply it: it is tried again';
  return { kind: 'failed', error: new DependencyError('graph', message, { outcomeUnknown: true }) };
}

function eventsOf(group: readonly (Checked | Failed)[], id: string): readonly RecordedEvent[] {
  return group.flatMap((each) => (each.kind === 'checked' && each.id === id ? each.events : []));
}

function withUnknownOutcome(failure: unknown): Error {
  if (!(failure instanceof DependencyError)) return toError(failure);
  const { dependency, message, retryAfterSeconds } = failure;
  return new DependencyError(dependency, message, { cause: failure, outcomeUnknown: true, retryAfterSeconds });
}
