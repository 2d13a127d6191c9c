/**
 * The committer over two databases without a common transaction: an event that Postgres has committed will reach the graph, and is never
 * undone. The steps:
 *
 *   1, 2  load and decide: the caller does this
 *   3     the commit point: one Postgres transaction for a group of commands
 *   4     apply the events to the graph; idempotent, guarded by versions
 *   5     remove the pending rows and answer the callers
 *
 * After a failure behind step 3, another actor rolls the events forward from step 4: the next command that finds a subject ahead of its
 * expected version, a repeated request, or a sweeper.
 */
import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '../../contract/events.js';
import type { Clock } from '../../kernel/clock.js';
import { createBatcher } from '../../kernel/concurrency/batch-calls.js';
import { DependencyError, toError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import type { Postgres } from '../../postgres/postgres.js';
import type { CommitStep, Committer, Failpoints, Outcome } from '../committer.js';
import { hitFailpoint } from '../failpoints.js';
import { type Failed, outcomesOf } from '../outcomes-of.js';
import { COMMIT_LIMITS, prepareCommand, type PreparedCommand, weighCommand } from '../prepare-command.js';
import { createAnswerLedger } from './answer-ledger.js';
import { createCommitPoint, type Judged } from './commit-point.js';
import type { CommitConfig } from './commit-variables.js';
import { findEarlier } from './earlier-requests.js';
import { findUnapplied } from './find-unapplied.js';
import { createFinisher } from './finisher.js';
import { type CommitGraph, createGraphGuard, type Rejected } from './graph-guard.js';
import { outcomeAfterFailure, outcomeOf } from './outcome-of.js';
import { countPending, eventsOfRanges } from './pending-rows.js';
import { recordFailures, rollForward } from './roll-forward.js';
import { createSweeper } from './sweeper.js';
import { isUnfinished, unfinishedError } from './unfinished-error.js';

export type OutboxCommitterDeps = {
  readonly postgres: Postgres;
  readonly graph: CommitGraph;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: CommitConfig;
  readonly failpoints?: Failpoints | undefined;
};

export interface OutboxCommitter extends Committer {
  /** Waits for the running commits and reports answered commands. Call it when no more commands come. */
  close(): Promise<void>;
}

/** `finished` settles with step 5, while the next group is already running; a failure in step 5 replaces the outcome. */
type CommandResult = { readonly outcome: Outcome | Failed; readonly finished: Promise<Failed | null> };

export function createOutboxCommitter({
  postgres,
  graph,
  clock,
  logger,
  config,
  failpoints,
}: OutboxCommitterDeps): OutboxCommitter {
  const owner = randomUUID();
  const ledger = createAnswerLedger({ postgres, logger });
  const guard = createGraphGuard({ graph, logger, retryAfterSeconds: config.retryAfterSeconds });
  const sweeper = createSweeper({ postgres, guard, ledger, owner, clock, logger, config });
  const reach = (step: CommitStep, commandIds: readonly string[]) => hitFailpoint(failpoints, step, commandIds);
  const commitPoint = createCommitPoint({
    postgres,
    ledger,
    owner,
    clock,
    config,
    insideTransaction: (ids) => reach('inside_commit', ids),
  });
  const finishPositions = createFinisher({ postgres, logger });
  const batcher = createBatcher<PreparedCommand, CommandResult>({
    weigh: weighCommand,
    run: runGroup,
    limits: COMMIT_LIMITS,
  });
  const inProgress = new Set<Promise<unknown>>();

  async function runGroup(commands: readonly PreparedCommand[]): Promise<readonly CommandResult[]> {
    const ids = commands.map(({ id }) => id);
    await sweeper.ready;
    requireCapacity();
    await reach('before_commit', ids);
    const group = await commitPoint(commands); // 3
    try {
      await reach('after_commit', ids);
      const unapplied = await findUnapplied(
        postgres,
        group.flatMap((each) => (each.kind === 'judged' ? [each.verdict] : [])),
      );
      const events = inOrder([...unapplied.pending, ...eventsOf(group)]);
      await reach('before_apply', ids);
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
    } catch (error) {
      await abandon(group);
      return group.map((judged) => ({ outcome: outcomeAfterFailure(judged, error), finished: Promise.resolve(null) }));
    }
  }

  /** Throws when events could not be applied to the graph soon: it is down, or too many events wait for it. */
  function requireCapacity(): void {
    guard.requireUp();
    if (sweeper.pending() < config.pendingLimit) return;
    const message = `${sweeper.pending()} changes already wait for the graph database (COMMIT_PENDING_LIMIT): try again later`;
    throw new DependencyError('graph', message, { retryAfterSeconds: config.retryAfterSeconds });
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

  return {
    commit: async (commands) => {
      const work = batcher
        .submit(commands.map(prepareCommand))
        .then((results) => Promise.all(results.map(afterFinish)));
      inProgress.add(work);
      return outcomesOf(await work.finally(() => inProgress.delete(work)));
    },
    earlier: async ({ key, fingerprint }) => {
      const found = await findEarlier(postgres, {
        key,
        fingerprint,
        owner,
        isAbandoned: ledger.isAbandoned,
        now: clock.now(),
      });
      if (found?.kind !== 'repeated') return found ?? undefined;
      const { events, pending } = await eventsOfRanges(postgres, [found.range]);
      const unfinished = pending.find(isUnfinished);
      if (unfinished) throw unfinishedError(unfinished, config.retryAfterSeconds);
      const rejected = await rollForward(
        { postgres, guard, config, logger },
        pending.map(({ event }) => event),
      );
      const failed = pending.find(({ event }) => rejected.has(event.position));
      if (failed) throw unfinishedError(failed, config.retryAfterSeconds);
      return { kind: 'repeated', events };
    },
    answered: ledger.answered,
    abandoned: (commandId) => void ledger.abandon([commandId]), // never rejects: it logs a failure and reports later
    pending: () => countPending(postgres),
    close: async () => {
      await Promise.allSettled(inProgress);
      await sweeper.close();
    },
  };
}

async function afterFinish(
  result: PromiseSettledResult<CommandResult>,
): Promise<PromiseSettledResult<Outcome | Failed>> {
  if (result.status === 'rejected') return result;
  return { status: 'fulfilled', value: (await result.value.finished) ?? result.value.outcome };
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
