/**
 * The committer over two stores that share no transaction: what Postgres has committed happened, and will be in the graph. There is no
 * undo of a committed event. The steps:
 *
 *   1, 2  load and decide: the caller's
 *   3     the commit point: one Postgres transaction for a group of commands
 *   4     the graph shows the events, idempotently, guarded by their versions
 *   5     the events are pending no longer, and the callers have their answers
 *
 * Whatever breaks after 3, somebody goes on at 4: the next command that finds a subject ahead, a repeated request, or a sweeper.
 */
import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '../../contract/events.js';
import type { Clock } from '../../kernel/clock.js';
import { DependencyError } from '../../kernel/errors.js';
import { createGatherer } from '../../kernel/gather.js';
import type { Logger } from '../../kernel/logger.js';
import type { Postgres } from '../../postgres/postgres.js';
import type { Committer, CommitStep, Failpoints, Outcome } from '../committer.js';
import { asError, outcomesOf, type Failed } from '../outcomes-of.js';
import { COMMIT_LIMITS, prepareCommand, weighCommand, type PreparedCommand } from '../prepare-command.js';
import type { CommitConfig } from './commit-variables.js';
import { createAnswerLedger } from './create-answer-ledger.js';
import { createCommitPoint, type Judged } from './create-commit-point.js';
import { createFinisher } from './create-finisher.js';
import { createGraphGuard, type CommitGraph } from './create-graph-guard.js';
import { createSweeper } from './create-sweeper.js';
import { findEarlier } from './earlier-requests.js';
import { findLagging } from './find-lagging.js';
import { outcomeAfterFailure, outcomeOf } from './outcome-of.js';
import { countPending, eventsOfRanges } from './pending-rows.js';
import { rollForward } from './roll-forward.js';

export type OutboxCommitterDeps = {
  readonly postgres: Postgres;
  readonly graph: CommitGraph;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: CommitConfig;
  readonly failpoints?: Failpoints;
};

export interface OutboxCommitter extends Committer {
  /** Waits for the commits under way and writes down who has an answer. For when no more commands come. */
  close(): Promise<void>;
}

/** `finished` settles with step 5, while the next group is on its way; a failure there takes the place of the outcome. */
type Fate = { readonly outcome: Outcome | Failed; readonly finished: Promise<Failed | null> };

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
  const commitPoint = createCommitPoint({
    postgres,
    ledger,
    owner,
    clock,
    config,
    beforeEnd: (ids) => reach('inside_commit', ids),
  });
  const finishPositions = createFinisher({ postgres, logger });
  const groups = createGatherer<PreparedCommand, Fate>({ weigh: weighCommand, run: runGroup, limits: COMMIT_LIMITS });
  const underWay = new Set<Promise<unknown>>();

  async function runGroup(commands: readonly PreparedCommand[]): Promise<readonly Fate[]> {
    const ids = commands.map(({ id }) => id);
    await sweeper.ready;
    admit();
    await reach('before_commit', ids);
    const group = await commitPoint(commands); // 3
    try {
      await reach('after_commit', ids);
      const lagging = await findLagging(
        postgres,
        group.flatMap((each) => (each.kind === 'judged' ? [each.verdict] : [])),
      );
      const events = inOrder([...lagging.pending, ...eventsOf(group)]);
      await reach('before_apply', ids);
      const refused = await guard.show(events); // 4
      await reach('after_apply', ids);
      await giveUp(group.filter((judged) => eventsOf([judged]).some(({ position }) => refused.has(position))));
      const finished = finish(
        events.filter(({ position }) => !refused.has(position)),
        group,
      ); // 5
      return group.map((judged) => ({ outcome: outcomeOf(judged, { lagging, group, refused }), finished }));
    } catch (error) {
      await giveUp(group);
      return group.map((judged) => ({ outcome: outcomeAfterFailure(judged, error), finished: Promise.resolve(null) }));
    }
  }

  /** Nothing is committed that the graph could not show soon. */
  function admit(): void {
    guard.admit();
    if (sweeper.pending() < config.pendingLimit) return;
    const message = `${sweeper.pending()} changes wait for the graph database already (COMMIT_PENDING_LIMIT): try again later`;
    throw new DependencyError('graph', message, { retryAfterSeconds: config.retryAfterSeconds });
  }

  async function finish(shown: readonly RecordedEvent[], group: readonly (Judged | Failed)[]): Promise<Failed | null> {
    try {
      await finishPositions(shown.map(({ position }) => position));
      await reach('after_mark', idsOf(group));
      return null;
    } catch (error) {
      await giveUp(group);
      return { kind: 'failed', error: asError(error) };
    }
  }

  /** Nobody here goes on with what was accepted of these. */
  function giveUp(group: readonly (Judged | Failed)[]): Promise<void> {
    return ledger.giveUp(
      group.flatMap((each) => (each.kind === 'judged' && each.verdict.kind === 'accepted' ? [each.id] : [])),
    );
  }

  async function reach(step: CommitStep, commandIds: readonly string[]): Promise<void> {
    try {
      await failpoints?.hit(step, commandIds);
    } catch (cause) {
      const outcomeUnknown = step !== 'before_commit' && step !== 'inside_commit';
      throw new DependencyError('journal', 'The change was broken off: try again', { cause, outcomeUnknown });
    }
  }

  async function finished(fate: PromiseSettledResult<Fate>): Promise<PromiseSettledResult<Outcome | Failed>> {
    if (fate.status === 'rejected') return fate;
    return { status: 'fulfilled', value: (await fate.value.finished) ?? fate.value.outcome };
  }

  return {
    commit: async (commands) => {
      const work = groups.submit(commands.map(prepareCommand)).then((fates) => Promise.all(fates.map(finished)));
      underWay.add(work);
      return outcomesOf(await work.finally(() => underWay.delete(work)));
    },
    earlier: async ({ key, fingerprint }) => {
      const found = await findEarlier(postgres, {
        key,
        fingerprint,
        owner,
        isGivenUp: ledger.isGivenUp,
        now: clock.now(),
      });
      if (found?.kind !== 'repeated') return found ?? undefined;
      const { events, pending } = await eventsOfRanges(postgres, [found.range]);
      await rollForward({ postgres, guard }, pending);
      return { kind: 'repeated', events };
    },
    answered: ledger.answered,
    abandoned: (commandId) => void ledger.giveUp([commandId]), // which logs what goes wrong and passes it on later
    pending: () => countPending(postgres),
    close: async () => {
      await Promise.allSettled(underWay);
      await sweeper.close();
    },
  };
}

function eventsOf(group: readonly (Judged | Failed)[]): readonly RecordedEvent[] {
  return group.flatMap((each) => (each.kind === 'judged' ? each.events : []));
}

/** Once each: a subject found ahead and a repeated request may name the same event. */
function inOrder(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const byPosition = new Map(events.map((event) => [event.position, event]));
  return [...byPosition.values()].sort((one, other) => one.position - other.position);
}

function idsOf(group: readonly (Judged | Failed)[]): readonly string[] {
  return group.flatMap((each) => (each.kind === 'judged' ? [each.id] : []));
}
