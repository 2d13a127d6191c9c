/**
 * Steps 4 and 5 of the commit protocol for a committed group: applies its events to the graph, then removes their
 * pending rows.
 */
import type { RecordedEvent } from '../../../contract/events.js';
import { type BatchLimits, createBatcher } from '../../../kernel/concurrency/batch-calls.js';
import { toError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import { withBatchSpan } from '../../../kernel/tracing/tracing.js';
import type { CommitStep, Outcome } from '../../../ports/committer.js';
import type { Failed } from '../../sql/outcomes-of.js';
import type { Queryable } from '../connection/postgres.js';
import type { AnswerLedger } from './answer-ledger.js';
import type { AppliedPart, Rejected } from './apply-parts.js';
import type { Checked } from './commit-point.js';
import type { CommitConfig } from './commit-variables.js';
import { findUnapplied } from './find-unapplied.js';
import type { GraphGuard } from './graph-guard.js';
import { concernOf, outcomeAfterFailure, outcomeOf } from './outcome-of.js';
import { finishPending } from './pending-rows.js';
import { recordFailures } from './roll-forward.js';

/**
 * `finished` settles with step 5, while the next group is already running; a failure in step 5 replaces the outcome.
 */
export type CommandResult = { readonly outcome: Outcome | Failed; readonly finished: Promise<Failed | null> };

/**
 * Returns the result of each command, in order. Neither it nor a result rejects. A command whose events the graph
 * cannot finish has its result later than the others. `onApply` is called before the call to the graph.
 */
export type ApplyGroup = (
  group: Group,
  run: { readonly ids: readonly string[]; readonly onApply: () => void },
) => Promise<readonly Promise<CommandResult>[]>;

type Group = readonly (Checked | Failed)[];

/** Steps 4 and 5 of one part of the events. */
type PartResult = { readonly rejected: Rejected; readonly finished: Promise<Failed | null> };

export type ApplyGroupDeps = {
  readonly postgres: Queryable;
  readonly guard: GraphGuard;
  readonly ledger: Pick<AnswerLedger, 'abandon'>;
  readonly logger: Logger;
  readonly config: CommitConfig;
  readonly reach: (step: CommitStep, commandIds: readonly string[]) => Promise<void>;
};

export function createApplyGroup({ postgres, guard, ledger, logger, config, reach }: ApplyGroupDeps): ApplyGroup {
  const removePending = createFinisher({ postgres, logger });

  async function applyEvents(
    group: Group,
    { ids, onApply }: Parameters<ApplyGroup>[1],
  ): Promise<readonly Promise<CommandResult>[]> {
    await reach('after_commit', ids);
    const unapplied = await findUnapplied(
      postgres,
      group.flatMap((each) => (each.kind === 'checked' ? [each.verdict] : [])),
    );
    const events = inOrder([...unapplied.pending, ...eventsOf(group)]);
    await reach('before_apply', ids);
    onApply();
    const parts = await guard.applyInParts(events); // 4
    const started = parts.map((part) => {
      const result = settle(part, commandsOf(part, group));
      result.catch(() => undefined /* each command that the part concerns reports it */);
      return { part, result };
    });
    return group.map(async (checked) => {
      const isConcerned = concernOf(checked, group);
      const awaited = started.filter(({ part }) => parts.length === 1 || part.events.some(isConcerned));
      try {
        const results = await Promise.all(awaited.map(({ result }) => result));
        const rejected: Rejected = new Map(results.flatMap((result) => [...result.rejected]));
        const state = { unapplied, group, rejected };
        return { outcome: outcomeOf(checked, state), finished: firstFailure(results) };
      } catch (error) {
        return failedResult(checked, error);
      }
    });
  }

  async function settle({ events, rejected: applying }: AppliedPart, commands: Group): Promise<PartResult> {
    try {
      const rejected = await applying;
      await reach('after_apply', idsOf(commands));
      // Before the leases end, so that no sweeper takes a failed event for one that was never tried.
      await countRejected(rejected);
      await abandon(commands.filter((checked) => eventsOf([checked]).some(({ position }) => rejected.has(position))));
      const applied = events.filter(({ position }) => !rejected.has(position));
      return { rejected, finished: finish(applied, commands) }; // 5
    } catch (error) {
      await abandon(commands);
      throw error;
    }
  }

  async function finish(applied: readonly RecordedEvent[], commands: Group): Promise<Failed | null> {
    try {
      await removePending(applied);
      await reach('after_mark', idsOf(commands));
      return null;
    } catch (error) {
      await abandon(commands);
      return { kind: 'failed', error: toError(error) };
    }
  }

  /**
   * Never rejects: without a counted attempt a sweeper tries the events again with other events, and counts that
   * attempt.
   */
  async function countRejected(rejected: Rejected): Promise<void> {
    await recordFailures({ postgres, guard, config, logger }, rejected).catch((err: unknown) =>
      logger.warn({ err, events: rejected.size }, 'failed attempts were not counted'),
    );
  }

  /** Marks the accepted commands as abandoned, so that other processes may roll them forward. */
  function abandon(group: Group): Promise<void> {
    return ledger.abandon(
      group.flatMap((each) => (each.kind === 'checked' && each.verdict.kind === 'accepted' ? [each.id] : [])),
    );
  }

  return async (group, run) => {
    const events = eventsOf(group);
    try {
      return await withBatchSpan('apply to graph', { events }, () => applyEvents(group, run));
    } catch (error) {
      await abandon(group);
      return group.map((checked) => Promise.resolve(failedResult(checked, error)));
    }
  };
}

function failedResult(checked: Checked | Failed, error: unknown): CommandResult {
  return { outcome: outcomeAfterFailure(checked, error), finished: Promise.resolve(null) };
}

/** The accepted commands with events in this part. */
function commandsOf({ events }: AppliedPart, group: Group): Group {
  const positions = new Set(events.map(({ position }) => position));
  return group.filter((checked) => eventsOf([checked]).some(({ position }) => positions.has(position)));
}

async function firstFailure(results: readonly PartResult[]): Promise<Failed | null> {
  return (await Promise.all(results.map(({ finished }) => finished))).find((failed) => failed !== null) ?? null;
}

function eventsOf(group: Group): readonly RecordedEvent[] {
  return group.flatMap((each) => (each.kind === 'checked' ? each.events : []));
}

/** Sorts by position without duplicates: a subject found ahead and a repeated request may name the same event. */
function inOrder(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const byPosition = new Map(events.map((event) => [event.position, event]));
  return [...byPosition.values()].sort((one, other) => one.position - other.position);
}

function idsOf(group: Group): readonly string[] {
  return group.flatMap((each) => (each.kind === 'checked' ? [each.id] : []));
}

/** In events. */
const LIMITS: BatchLimits = {
  group: { count: 1_000, bytes: Infinity },
  smallCount: Infinity,
  queue: { count: 20_000, bytes: Infinity },
};

/** Never rejects: the graph already has these events. After a failure a sweeper removes the rows. */
type Finisher = (events: readonly RecordedEvent[]) => Promise<void>;

/** Step 5 of the commit protocol: removes the pending rows of applied events, batched over several groups. */
function createFinisher({ postgres, logger }: { readonly postgres: Queryable; readonly logger: Logger }): Finisher {
  const batcher = createBatcher<readonly RecordedEvent[], void>({
    weigh: ({ length }) => ({ count: length, bytes: 0 }),
    run: async (groups) => {
      await finishPending(postgres, groups.flat());
      return groups.map(() => undefined);
    },
    limits: LIMITS,
  });
  return async (events) => {
    try {
      for (const result of await batcher.submit([events])) if (result.status === 'rejected') throw result.reason;
    } catch (error) {
      logger.warn({ err: error, events: events.length }, 'applied events stay pending until the next sweep');
    }
  };
}
