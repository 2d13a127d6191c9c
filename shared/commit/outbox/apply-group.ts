/** Steps 4 and 5 of the commit protocol for a committed group: applies its events to the graph, then removes their pending rows. */
import type { RecordedEvent } from '../../contract/events.js';
import { toError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import type { Queryable } from '../../postgres/postgres.js';
import type { CommitStep, Outcome } from '../committer.js';
import type { Failed } from '../outcomes-of.js';
import type { AnswerLedger } from './answer-ledger.js';
import type { Judged } from './commit-point.js';
import type { CommitConfig } from './commit-variables.js';
import { findUnapplied } from './find-unapplied.js';
import { createFinisher } from './finisher.js';
import type { GraphGuard, Rejected } from './graph-guard.js';
import { outcomeAfterFailure, outcomeOf } from './outcome-of.js';
import { recordFailures } from './roll-forward.js';

/** `finished` settles with step 5, while the next group is already running; a failure in step 5 replaces the outcome. */
export type CommandResult = { readonly outcome: Outcome | Failed; readonly finished: Promise<Failed | null> };

/** Returns the result of each command, in order. Never rejects. `onApply` is called before the call to the graph. */
export type ApplyGroup = (
  group: readonly (Judged | Failed)[],
  run: { readonly ids: readonly string[]; readonly onApply: () => void },
) => Promise<readonly CommandResult[]>;

export type ApplyGroupDeps = {
  readonly postgres: Queryable;
  readonly guard: GraphGuard;
  readonly ledger: Pick<AnswerLedger, 'abandon'>;
  readonly logger: Logger;
  readonly config: CommitConfig;
  readonly reach: (step: CommitStep, commandIds: readonly string[]) => Promise<void>;
};

export function createApplyGroup({ postgres, guard, ledger, logger, config, reach }: ApplyGroupDeps): ApplyGroup {
  const finishPositions = createFinisher({ postgres, logger });

  async function applyEvents(
    group: readonly (Judged | Failed)[],
    { ids, onApply }: Parameters<ApplyGroup>[1],
  ): Promise<readonly CommandResult[]> {
    await reach('after_commit', ids);
    const unapplied = await findUnapplied(
      postgres,
      group.flatMap((each) => (each.kind === 'judged' ? [each.verdict] : [])),
    );
    const events = inOrder([...unapplied.pending, ...eventsOf(group)]);
    await reach('before_apply', ids);
    onApply();
    const rejected = await guard.apply(events); // 4
    await reach('after_apply', ids);
    // Before the leases end, so that no sweeper takes a failed event for one that was never tried.
    await countRejected(rejected);
    await abandon(group.filter((judged) => eventsOf([judged]).some(({ position }) => rejected.has(position))));
    const finished = finish(
      events.filter(({ position }) => !rejected.has(position)),
      group,
    ); // 5
    const state = { unapplied, group, rejected, retryAfterSeconds: config.retryAfterSeconds };
    return group.map((judged) => ({ outcome: outcomeOf(judged, state), finished }));
  }

  async function finish(
    applied: readonly RecordedEvent[],
    group: readonly (Judged | Failed)[],
  ): Promise<Failed | null> {
    try {
      await finishPositions(applied.map(({ position }) => position));
      await reach('after_mark', idsOf(group));
      return null;
    } catch (error) {
      await abandon(group);
      return { kind: 'failed', error: toError(error) };
    }
  }

  /** Never rejects: without a counted attempt a sweeper tries the events again with other events, and counts that attempt. */
  async function countRejected(rejected: Rejected): Promise<void> {
    await recordFailures({ postgres, config, logger }, rejected).catch((err: unknown) =>
      logger.warn({ err, events: rejected.size }, 'failed attempts were not counted'),
    );
  }

  /** Marks the accepted commands as abandoned, so that other processes may roll them forward. */
  function abandon(group: readonly (Judged | Failed)[]): Promise<void> {
    return ledger.abandon(
      group.flatMap((each) => (each.kind === 'judged' && each.verdict.kind === 'accepted' ? [each.id] : [])),
    );
  }

  return async (group, run) => {
    try {
      return await applyEvents(group, run);
    } catch (error) {
      await abandon(group);
      return group.map((judged) => ({ outcome: outcomeAfterFailure(judged, error), finished: Promise.resolve(null) }));
    }
  };
}

function eventsOf(group: readonly (Judged | Failed)[]): readonly RecordedEvent[] {
  return group.flatMap((each) => (each.kind === 'judged' ? each.events : []));
}

/** Sorts by position without duplicates: a subject found ahead and a repeated request may name the same event. */
function inOrder(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const byPosition = new Map(events.map((event) => [event.position, event]));
  return [...byPosition.values()].sort((one, other) => one.position - other.position);
}

function idsOf(group: readonly (Judged | Failed)[]): readonly string[] {
  return group.flatMap((each) => (each.kind === 'judged' ? [each.id] : []));
}
