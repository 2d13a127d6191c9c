/** What a command's caller is told, by how it was judged and whether the graph shows it. Pure. */
import type { RecordedEvent } from '../../contract/events.js';
import { DependencyError } from '../../kernel/errors.js';
import type { Outcome } from '../committer.js';
import { asError, type Failed } from '../outcomes-of.js';
import type { Judged } from './create-commit-point.js';
import type { Lagging } from './find-lagging.js';

export type Shown = {
  readonly lagging: Lagging;
  /** All of the group, for those that repeat one of it. */
  readonly group: readonly (Judged | Failed)[];
  /** Positions of events that the graph refused. */
  readonly refused: ReadonlySet<number>;
};

export function outcomeOf(judged: Judged | Failed, { lagging, group, refused }: Shown): Outcome | Failed {
  if (judged.kind === 'failed') return judged;
  const { verdict } = judged;
  switch (verdict.kind) {
    case 'accepted':
      return shown({ kind: 'committed', events: judged.events }, refused);
    case 'repeated':
      return shown({ kind: 'repeated', events: lagging.eventsOf(verdict.range) }, refused);
    case 'repeated_here':
      return shown({ kind: 'repeated', events: eventsOf(group, verdict.accepted.id) }, refused);
    default:
      return verdict;
  }
}

/** After a failure behind the commit point: what was accepted stands and will be shown, and of the rest nothing was committed. */
export function outcomeAfterFailure(judged: Judged | Failed, failure: unknown): Outcome | Failed {
  if (judged.kind === 'failed' || judged.verdict.kind === 'key_reused') return outcomeOf(judged, NOTHING_SHOWN);
  const stands = judged.verdict.kind !== 'conflict' && judged.verdict.kind !== 'absent';
  return { kind: 'failed', error: stands ? standing(failure) : asError(failure) };
}

const NOTHING_SHOWN: Shown = { lagging: { pending: [], eventsOf: () => [] }, group: [], refused: new Set() };

function shown(
  outcome: Outcome & { readonly events: readonly RecordedEvent[] },
  refused: ReadonlySet<number>,
): Outcome | Failed {
  if (!outcome.events.some(({ position }) => refused.has(position))) return outcome;
  const message = 'The change is kept, and the graph cannot show it yet: see the log of the command API';
  return { kind: 'failed', error: new DependencyError('graph', message, { outcomeUnknown: true }) };
}

function eventsOf(group: readonly (Judged | Failed)[], id: string): readonly RecordedEvent[] {
  return group.flatMap((each) => (each.kind === 'judged' && each.id === id ? each.events : []));
}

function standing(failure: unknown): Error {
  if (!(failure instanceof DependencyError)) return asError(failure);
  const { dependency, message, retryAfterSeconds } = failure;
  return new DependencyError(dependency, message, { cause: failure, outcomeUnknown: true, retryAfterSeconds });
}
