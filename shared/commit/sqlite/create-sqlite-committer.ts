/** The embedded committer: gathers commands into groups, and commits journal, subjects and graph in one SQLite transaction each. */
import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '../../contract/events.js';
import type { Clock } from '../../kernel/clock.js';
import { DependencyError } from '../../kernel/errors.js';
import { createGatherer } from '../../kernel/gather.js';
import { silentLogger, type Logger } from '../../kernel/logger.js';
import { unpackError } from '../../sqlite/carried-error.js';
import type { SqliteHost } from '../../sqlite/host.js';
import type { EventPublisher } from '../../stream/stream.js';
import type { Committer, Failpoints, Outcome } from '../committer.js';
import { outcomesOf, type Failed } from '../outcomes-of.js';
import { COMMIT_LIMITS, prepareCommand, weighCommand, type PreparedCommand } from '../prepare-command.js';
import { commitGroup, type CommandResult } from './commit-group.js';
import { findEarlier } from './earlier-requests.js';
import { recordedEvent } from '../../journal/recorded-event.js';

/** Commands of which is remembered that they were answered, or that their answer was given up; the oldest is forgotten first. */
const REMEMBERED_LIMIT = 10_000;

export type SqliteCommitterDeps = {
  readonly host: SqliteHost;
  readonly clock: Clock;
  readonly publisher: Pick<EventPublisher, 'append'>;
  /** This engine has the steps `before_commit` and `after_commit`; in between there is one call to the writer thread. */
  readonly failpoints?: Failpoints;
  readonly logger?: Logger;
};

export function createSqliteCommitter({
  host,
  clock,
  publisher,
  failpoints,
  logger = silentLogger,
}: SqliteCommitterDeps): Committer {
  const owner = randomUUID();
  const answered = new Set<string>();
  const givenUp = new Set<string>();
  const gatherer = createGatherer<PreparedCommand, Outcome | Failed>({
    weigh: weighCommand,
    run: runGroup,
    limits: COMMIT_LIMITS,
  });

  async function runGroup(commands: readonly PreparedCommand[]): Promise<readonly (Outcome | Failed)[]> {
    const ids = commands.map(({ id }) => id);
    try {
      const results = await writeGroup(commands, ids);
      const outcomes = results.map((result, index) => outcomeOf(result, commands[index]));
      publish(outcomes);
      return outcomes;
    } catch (error) {
      if (error instanceof DependencyError && error.outcomeUnknown) ids.forEach((id) => remember(givenUp, id));
      throw error;
    }
  }

  async function writeGroup(
    commands: readonly PreparedCommand[],
    ids: readonly string[],
  ): Promise<readonly CommandResult[]> {
    await broken('before_commit', ids);
    const forget = [...answered];
    answered.clear();
    const results = await host.write(commitGroup, { commands, answered: forget, owner, nowMs: clock.now().getTime() });
    await broken('after_commit', ids);
    return results;
  }

  async function broken(step: 'before_commit' | 'after_commit', ids: readonly string[]): Promise<void> {
    try {
      await failpoints?.hit(step, ids);
    } catch (cause) {
      throw new DependencyError('journal', 'The change was broken off: try again', {
        cause,
        outcomeUnknown: step === 'after_commit',
      });
    }
  }

  /** What is committed is committed: the stream also finds it by itself, so its failure is not the caller's. */
  function publish(outcomes: readonly (Outcome | Failed)[]): void {
    const events = outcomes.flatMap((outcome) => (outcome.kind === 'committed' ? outcome.events : []));
    if (events.length === 0) return;
    publisher
      .append(events)
      .catch((error: unknown) => logger.warn({ error: error, events: events.length }, 'the stream was not woken'));
  }

  return {
    commit: async (commands) => outcomesOf(await gatherer.submit(commands.map(prepareCommand))),
    earlier: async ({ key, fingerprint }) => {
      const found = await host.read(findEarlier, { key, fingerprint, owner, givenUp, nowMs: clock.now().getTime() });
      if (found === null) return undefined;
      return found.kind === 'repeated' ? { kind: 'repeated', events: found.rows.map(recordedEvent) } : found;
    },
    answered: (commandId) => {
      givenUp.delete(commandId);
      remember(answered, commandId);
    },
    abandoned: (commandId) => remember(givenUp, commandId),
    pending: async () => 0,
  };
}

function outcomeOf(result: CommandResult, command: PreparedCommand | undefined): Outcome | Failed {
  switch (result.kind) {
    case 'committed':
      // With its position a new event is a recorded one; the compiler cannot see it through a spread of the union.
      return {
        kind: 'committed',
        events: (command?.events ?? []).map(
          (event, index) => ({ ...event, position: result.first + index }) as RecordedEvent,
        ),
      };
    case 'repeated':
      return { kind: 'repeated', events: result.rows.map(recordedEvent) };
    case 'failed':
      return { kind: 'failed', error: unpackError(result.error) };
    default:
      return result;
  }
}

function remember(set: Set<string>, id: string): void {
  set.add(id);
  if (set.size > REMEMBERED_LIMIT) set.delete(set.values().next().value ?? id);
}
