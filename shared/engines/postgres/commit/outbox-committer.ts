/**
 * The committer over two databases without a common transaction: an event that Postgres has committed will reach the
 * graph, and is never undone. The steps:
 *
 *   1, 2  load and decide: the caller does this
 *   3     the commit point: one Postgres transaction for a group of commands
 *   4     apply the events to the graph; idempotent, guarded by versions
 *   5     remove the pending rows and answer the callers
 *
 * After a failure behind step 3, another actor rolls the events forward from step 4: the next command that finds a
 * subject ahead of its expected version, a repeated request, or a sweeper.
 */
import { randomUUID } from 'node:crypto';
import { createBatcher } from '../../../kernel/concurrency/batch-calls.js';
import { raceDeadline } from '../../../kernel/concurrency/within-deadline.js';
import { DependencyError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import { type Metrics, NO_METRICS } from '../../../kernel/metrics/metrics.js';
import type { CommitStep, Committer, Failpoints, Outcome } from '../../../ports/committer.js';
import type { Witness } from '../../../ports/journal-identity.js';
import { hitFailpoint } from '../../sql/failpoints.js';
import { measureGroup } from '../../sql/measure-group.js';
import { type Failed, outcomesOf } from '../../sql/outcomes-of.js';
import { COMMIT_LIMITS, prepareCommands, type PreparedCommand, weighCommand } from '../../sql/prepare-command.js';
import type { Postgres } from '../connection/postgres.js';
import { createPendingBound } from '../outbox/pending-bound.js';
import { createAnswerLedger } from './answer-ledger.js';
import { type CommandResult, createApplyGroup } from './apply-group.js';
import { createCommitPoint } from './commit-point.js';
import type { CommitConfig } from './commit-variables.js';
import { findEarlier } from './earlier-requests.js';
import { type CommitGraph, createGraphGuard } from './graph-guard.js';
import { eventsOfRanges } from './pending-rows.js';
import { rollForward } from './roll-forward.js';
import { createSweeper } from './sweeper.js';
import { isUnfinished, RETRY_AFTER_SECONDS, unfinishedError } from './unfinished-error.js';
import { createWitness } from './witness.js';

export type OutboxCommitterDeps = {
  readonly postgres: Postgres;
  readonly graph: CommitGraph;
  /** Events that others know to be in the journal are added to it. */
  readonly witness?: Witness | undefined;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, 'observe'> | undefined;
  readonly config: CommitConfig;
  readonly failpoints?: Failpoints | undefined;
};

export interface OutboxCommitter extends Committer {
  /** Waits for the running commits and reports answered commands. Call it when no more commands come. */
  close(): Promise<void>;
}

export function createOutboxCommitter({
  postgres,
  graph,
  witness = createWitness(),
  logger,
  metrics = NO_METRICS,
  config,
  failpoints,
}: OutboxCommitterDeps): OutboxCommitter {
  const owner = randomUUID();
  const ledger = createAnswerLedger({ postgres, logger });
  const guard = createGraphGuard({ graph, logger });
  const pendingBound = createPendingBound({ postgres });
  const sweeper = createSweeper({ postgres, pendingBound, guard, ledger, owner, logger, config });
  const reach = (step: CommitStep, commandIds: readonly string[]) => hitFailpoint(failpoints, step, commandIds);
  const commitPoint = createCommitPoint({
    postgres,
    ledger,
    owner,
    witness,
    config,
    insideTransaction: (ids) => reach('inside_commit', ids),
  });
  const applyGroup = createApplyGroup({ postgres, guard, ledger, logger, config, reach });
  const slowGroups = createSlowGroups();
  const batcher = createBatcher<PreparedCommand, { readonly result: Promise<CommandResult> }>({
    weigh: weighCommand,
    run: runGroup,
    limits: COMMIT_LIMITS,
  });
  const inProgress = new Set<Promise<unknown>>();

  async function runGroup(
    commands: readonly PreparedCommand[],
  ): Promise<readonly { readonly result: Promise<CommandResult> }[]> {
    const ids = commands.map(({ id }) => id);
    await sweeper.ready;
    requireCapacity();
    await reach('before_commit', ids);
    const group = await measureGroup(metrics, commands, () => commitPoint(commands)); // 3
    const begun = new AbortController();
    const applying = applyGroup(group, { ids, onApply: () => begun.abort() });
    await slowGroups(
      applying.then((results) => Promise.all(results)),
      begun.signal,
    );
    return group.map((_command, index) => ({ result: applying.then((results) => resultAt(results, index)) }));
  }

  /** Throws when events could not be applied to the graph soon: it is down, or too many events wait for it. */
  function requireCapacity(): void {
    guard.requireUp();
    if (sweeper.pending() < config.pendingLimit) return;
    const message = `${config.pendingLimit} or more changes already wait for the graph database (COMMIT_PENDING_LIMIT): try again later`;
    throw new DependencyError('graph', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  return {
    commit: async (commands) => {
      const work = prepareCommands(commands)
        .then((prepared) => batcher.submit(prepared))
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
      });
      if (found?.kind !== 'repeated') return found ?? undefined;
      const { events, pending } = await eventsOfRanges(postgres, [found.range]);
      const unfinished = pending.find(isUnfinished);
      if (unfinished) throw unfinishedError(unfinished);
      const rejected = await rollForward(
        { postgres, guard, config, logger },
        pending.map(({ event }) => event),
      );
      const failed = pending.find(({ event }) => rejected.has(event.position));
      if (failed) throw unfinishedError(failed);
      return { kind: 'repeated', events };
    },
    answered: ledger.answered,
    abandoned: (commandId) => void ledger.abandon([commandId]), // never rejects: it logs a failure and reports later
    pending: () => pendingBound.query({ countLimit: config.pendingLimit }),
    close: async () => {
      await Promise.allSettled(inProgress);
      await sweeper.close();
    },
  };
}

function resultAt(results: readonly Promise<CommandResult>[], index: number): Promise<CommandResult> {
  const result = results[index];
  if (!result) throw new Error(`Command ${index + 1} of ${results.length} has no result`);
  return result;
}

async function afterFinish(
  settled: PromiseSettledResult<{ readonly result: Promise<CommandResult> }>,
): Promise<PromiseSettledResult<Outcome | Failed>> {
  if (settled.status === 'rejected') return settled;
  const { outcome, finished } = await settled.value.result;
  return { status: 'fulfilled', value: (await finished) ?? outcome };
}

/** A group usually takes 5 to 50 ms. */
const PATIENCE_MS = 250;
/**
 * Slow groups of a process at the same time. Below NEO4J_POOL_SIZE, because each has a connection. An event that Neo4j
 * cannot finish also makes the groups slow that enrich similar memories.
 */
const SLOW_LIMIT = 12;

/**
 * Resolves when the next group may start. `applying` never rejects; `begun` aborts when its call to the graph begins.
 */
type SlowGroups = (applying: Promise<unknown>, begun: AbortSignal) => Promise<void>;

/**
 * Decides when the next group may start. Normally it starts when the graph has the group before it. While the graph is
 * slow with a group, for example with one event until its transaction times out, the next groups start all the same, so
 * that it delays few other commands.
 */
function createSlowGroups(): SlowGroups {
  const slow = new Set<Promise<unknown>>();

  async function endsSoon(applying: Promise<unknown>, begun: AbortSignal): Promise<boolean> {
    const ended = applying.then(() => true);
    const call = new Promise<void>((resolve) => {
      if (begun.aborted) resolve();
      else begun.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([ended, call]);
    return raceDeadline(ended, { milliseconds: PATIENCE_MS, onDeadline: () => false });
  }

  return async (applying, begun) => {
    if (await endsSoon(applying, begun)) return;
    slow.add(applying);
    void applying.then(() => slow.delete(applying));
    while (slow.size >= SLOW_LIMIT) await Promise.race(slow);
  };
}
