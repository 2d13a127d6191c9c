/**
 * The embedded committer: batches commands into groups and commits journal, subjects and graph of a group in one SQLite
 * transaction.
 */
import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '../../../contract/events.js';
import type { Clock } from '../../../kernel/clock.js';
import { createBatcher } from '../../../kernel/concurrency/batch-calls.js';
import { DependencyError } from '../../../kernel/errors.js';
import { type Logger, silentLogger } from '../../../kernel/logger.js';
import { type Metrics, NO_METRICS } from '../../../kernel/metrics/metrics.js';
import type { CommitStep, Committer, Failpoints, Outcome } from '../../../ports/committer.js';
import type { EventPublisher } from '../../../ports/stream.js';
import { addBounded } from '../../sql/bounded-set.js';
import { hitFailpoint } from '../../sql/failpoints.js';
import { measureGroup } from '../../sql/measure-group.js';
import { type Failed, outcomesOf } from '../../sql/outcomes-of.js';
import { COMMIT_LIMITS, prepareCommands, type PreparedCommand, weighCommand } from '../../sql/prepare-command.js';
import { recordedEvent } from '../../sql/recorded-event.js';
import type { AcknowledgedFile } from '../journal/acknowledged-file.js';
import type { SqliteHost } from '../threads/host.js';
import { deserializeError } from '../threads/serialized-error.js';
import { type CommandResult, commitGroup } from './commit-group.js';
import { findEarlier, lastUnansweredOfOthers, UNANSWERED_RETENTION_MS } from './earlier-requests.js';
import { slimCommand } from './slim-command.js';

export type SqliteCommitterDeps = {
  readonly host: SqliteHost;
  readonly clock: Clock;
  readonly publisher: Pick<EventPublisher, 'append'>;
  readonly acknowledged?: Pick<AcknowledgedFile, 'write'> | undefined;
  /** This adapter has the steps `before_commit` and `after_commit`; between them it calls the writer thread once. */
  readonly failpoints?: Failpoints | undefined;
  readonly logger?: Logger;
  readonly metrics?: Pick<Metrics, 'observe'> | undefined;
};

export function createSqliteCommitter({
  host,
  clock,
  publisher,
  acknowledged,
  failpoints,
  logger = silentLogger,
  metrics = NO_METRICS,
}: SqliteCommitterDeps): Committer {
  const owner = randomUUID();
  const answered = new Set<string>();
  const abandoned = new Set<string>();
  /** When this process last committed a command, and last one that was abandoned later. In ms of the clock. */
  const lastCommitted = { any: -Infinity, abandoned: -Infinity };
  let ofOthers: Promise<number | null> | undefined;
  const batcher = createBatcher<PreparedCommand, Outcome | Failed>({
    weigh: weighCommand,
    run: runGroup,
    limits: COMMIT_LIMITS,
  });
  const reach = (step: CommitStep, ids: readonly string[]) => hitFailpoint(failpoints, step, ids);

  function abandon(commandId: string): void {
    addBounded(abandoned, commandId);
    lastCommitted.abandoned = lastCommitted.any;
  }

  /**
   * Whether a request without a key may have an earlier one. Nothing but this process writes to its data folder, so it
   * knows when the last of them expires, and nearly no store waits for a read.
   */
  async function mayBeUnanswered(nowMs: number): Promise<boolean> {
    ofOthers ??= host.read(lastUnansweredOfOthers, owner).catch((error: unknown) => {
      ofOthers = undefined;
      throw error;
    });
    const last = Math.max(lastCommitted.abandoned, (await ofOthers) ?? -Infinity);
    return last >= nowMs - UNANSWERED_RETENTION_MS;
  }

  async function runGroup(commands: readonly PreparedCommand[]): Promise<readonly (Outcome | Failed)[]> {
    const ids = commands.map(({ id }) => id);
    try {
      const results = await writeGroup(commands, ids);
      const outcomes = results.map((result, index) => outcomeOf(result, commands[index]));
      publish(outcomes);
      return outcomes;
    } catch (error) {
      if (error instanceof DependencyError && error.outcomeUnknown) ids.forEach(abandon);
      throw error;
    }
  }

  async function writeGroup(
    commands: readonly PreparedCommand[],
    ids: readonly string[],
  ): Promise<readonly CommandResult[]> {
    await reach('before_commit', ids);
    const forget = [...answered];
    answered.clear();
    const slim = await Promise.all(commands.map(slimCommand));
    const nowMs = clock.now().getTime();
    lastCommitted.any = Math.max(lastCommitted.any, nowMs);
    const results = await measureGroup(metrics, commands, () =>
      host.write(commitGroup, { commands: slim, answered: forget, owner, nowMs }),
    );
    await reach('after_commit', ids);
    return results;
  }

  /**
   * Notes the last event. The events are committed and the stream also finds them by polling, so a failure here is
   * logged and the commit succeeds.
   */
  function publish(outcomes: readonly (Outcome | Failed)[]): void {
    const events = outcomes.flatMap((outcome) => (outcome.kind === 'committed' ? outcome.events : []));
    const last = events.at(-1);
    if (last === undefined) return;
    acknowledged?.write({ position: last.position, eventId: last.id });
    publisher
      .append(events)
      .catch((err: unknown) => logger.warn({ err, events: events.length }, 'stream wake-up failed'));
  }

  return {
    commit: async (commands) => outcomesOf(await batcher.submit(await prepareCommands(commands))),
    earlier: async ({ key, fingerprint }) => {
      const nowMs = clock.now().getTime();
      if (key === null && !(await mayBeUnanswered(nowMs))) return undefined;
      const found = await host.read(findEarlier, { key, fingerprint, owner, abandoned, nowMs });
      if (found === null) return undefined;
      return found.kind === 'repeated' ? { kind: 'repeated', events: found.rows.map(recordedEvent) } : found;
    },
    answered: (commandId) => {
      abandoned.delete(commandId);
      addBounded(answered, commandId);
    },
    abandoned: abandon,
    pending: async () => 0,
  };
}

function outcomeOf(result: CommandResult, command: PreparedCommand | undefined): Outcome | Failed {
  switch (result.kind) {
    case 'committed':
      // A new event with its position is a recorded event; the compiler cannot derive this from a spread of the union.
      return {
        kind: 'committed',
        events: (command?.events ?? []).map(
          (event, index) => ({ ...event, position: result.first + index }) as RecordedEvent,
        ),
      };
    case 'repeated':
      return { kind: 'repeated', events: result.rows.map(recordedEvent) };
    case 'failed':
      return { kind: 'failed', error: deserializeError(result.error) };
    default:
      return result;
  }
}
