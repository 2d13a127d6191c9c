/**
 * Step 3, the commit point: one Postgres transaction for a group of commands (group commit). If one command makes the
 * group fail, the commands are retried one by one. A COMMIT whose answer was lost is looked up. So each command gets
 * its own result.
 */
import type { RecordedEvent } from '../../../contract/events.js';
import { withTimeoutSignal } from '../../../kernel/concurrency/abort-signals.js';
import type { Pace } from '../../../kernel/concurrency/backoff.js';
import { createLoop } from '../../../kernel/concurrency/loop.js';
import { DependencyError, toError } from '../../../kernel/errors.js';
import type { Witness } from '../../../ports/journal-identity.js';
import type { Failed } from '../../sql/outcomes-of.js';
import type { PreparedCommand } from '../../sql/prepare-command.js';
import type { Postgres } from '../connection/postgres.js';
import { hasWentBack, isDeadlock } from '../connection/postgres-errors.js';
import { createPostgresJournalIdentity } from '../journal/postgres-journal-identity.js';
import type { AnswerLedger } from './answer-ledger.js';
import type { Verdict } from './check-group.js';
import {
  appendAndCommit,
  findCommitted,
  type LockedGroup,
  lockGroup,
  recordedEvents,
  writeGroup,
} from './commit-group.js';
import type { CommitConfig } from './commit-variables.js';

/** `events`: the events of an accepted command with their positions in the journal. */
export type Checked = {
  readonly kind: 'checked';
  readonly id: string;
  readonly verdict: Verdict;
  readonly events: readonly RecordedEvent[];
};

/**
 * Returns the result of each command, in order. DependencyError: nothing was committed or, with `outcomeUnknown`, it
 * stays unknown.
 */
export type CommitPoint = (commands: readonly PreparedCommand[]) => Promise<readonly (Checked | Failed)[]>;

export type CommitPointDeps = {
  readonly postgres: Postgres;
  readonly ledger: AnswerLedger;
  readonly owner: string;
  readonly witness: Witness;
  readonly config: CommitConfig;
  /** Runs inside the transaction, before the message that appends the events and commits. */
  readonly insideTransaction: (commandIds: readonly string[]) => Promise<void>;
};

export function createCommitPoint({
  postgres,
  ledger,
  owner,
  witness,
  config,
  insideTransaction,
}: CommitPointDeps): CommitPoint {
  const identity = createPostgresJournalIdentity({ postgres });

  async function commitTogether(commands: readonly PreparedCommand[]): Promise<readonly Checked[]> {
    const answered = ledger.takeAnswered();
    const locked: LockedGroup[] = [];
    const known = witness.event();
    try {
      const positions = await postgres.transaction(async (transaction) => {
        const group = await lockGroup(transaction, commands);
        locked.push(group);
        await writeGroup(transaction, group, { owner, leaseMs: config.leaseMs, answered, witness: known });
        await insideTransaction(commands.map(({ id }) => id));
        return appendAndCommit(transaction, group);
      });
      return committed(checkedOf(commands, locked[0], positions));
    } catch (error) {
      ledger.restoreAnswered(answered);
      // Every other process reads it, and refuses commands too.
      if (known !== null && hasWentBack(error)) await identity.saveLost(known);
      const [group] = locked;
      if (!group || !(error instanceof DependencyError) || !error.outcomeUnknown) throw error;
      return committed(checkedOf(commands, group, await lookUp(group, error)));
    }
  }

  function committed(checked: readonly Checked[]): readonly Checked[] {
    const last = checked.flatMap(({ events }) => events).at(-1);
    if (last !== undefined) witness.saw({ position: last.position, eventId: last.id });
    return checked;
  }

  async function lookUp(group: LockedGroup, lost: DependencyError): Promise<readonly number[]> {
    try {
      return await lookUpCommit(postgres, { group, lost, timeoutMs: config.lookUpMs });
    } catch (error) {
      if (error === lost) await ledger.abandon(group.accepted.map(({ id }) => id));
      throw error;
    }
  }

  return async (commands) => {
    try {
      return await commitTogether(commands);
    } catch (error) {
      // Our groups never deadlock with each other, but other clients of these tables may cause a deadlock.
      if (commands.length === 1 || (error instanceof DependencyError && !isDeadlock(error))) throw error;
    }
    const checked: (Checked | Failed)[] = [];
    let unavailable: DependencyError | null = null;
    for (const command of commands) {
      try {
        // When Postgres failed for one command, the remaining commands fail immediately instead of waiting for it
        // again.
        if (unavailable) throw unavailable;
        checked.push(...(await commitTogether([command])));
      } catch (error) {
        if (error instanceof DependencyError && !isDeadlock(error)) unavailable = error;
        checked.push({ kind: 'failed', error: toError(error) });
      }
    }
    return checked;
  };
}

function checkedOf(
  commands: readonly PreparedCommand[],
  group: LockedGroup | undefined,
  positions: readonly number[],
): readonly Checked[] {
  const accepted = group?.accepted ?? [];
  const events = recordedEvents(accepted, positions);
  let before = 0;
  const eventsOf = new Map(
    accepted.map(({ id, events: { length } }) => [id, events.slice(before, (before += length))]),
  );
  return commands.map(({ id }, index) => {
    const verdict = group?.verdicts[index];
    if (!verdict) throw new Error(`No verdict on command ${index + 1} of ${commands.length}`);
    return { kind: 'checked', id, verdict, events: eventsOf.get(id) ?? [] };
  });
}

const PACE: Pace = { idleMinimumMs: 100, idleMaximumMs: 100, failedMinimumMs: 100, failedMaximumMs: 1_000 };

/**
 * Finds out the result of a COMMIT whose answer was lost: asks Postgres until it knows or the timeout ends. Returns
 * the positions of the events. DependencyError when nothing was committed, or `lost` when the result stays unknown.
 */
async function lookUpCommit(
  postgres: Postgres,
  {
    group,
    lost,
    timeoutMs,
  }: {
    readonly group: LockedGroup;
    /** The error of the COMMIT, with `outcomeUnknown`. */
    readonly lost: DependencyError;
    readonly timeoutMs: number;
  },
): Promise<readonly number[]> {
  const answers: (readonly number[] | null)[] = [];
  const known = new AbortController();
  const polling = createLoop({
    pace: PACE,
    onFailure: () => undefined,
    step: async () => {
      await postgres.transaction(
        async (transaction) => {
          answers.push(await findCommitted(transaction, group));
          // The end of this transaction does not matter: it changes nothing.
          known.abort();
        },
        { timeoutMs },
      );
      return 'idle';
    },
  });
  await withTimeoutSignal(timeoutMs, [known.signal], polling.run);
  const [positions] = answers;
  if (positions === undefined) throw lost;
  if (positions === null) throw new DependencyError('journal', 'Nothing was stored: try again', { cause: lost });
  return positions;
}
