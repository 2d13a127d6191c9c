/**
 * Step 3: one Postgres transaction for a group of commands. A group that fails by one of its commands is retried one by one, and a COMMIT
 * whose answer was lost is looked up, so that each command is told what became of it.
 */
import type { RecordedEvent } from '../../contract/events.js';
import type { Clock } from '../../kernel/clock.js';
import { DependencyError } from '../../kernel/errors.js';
import { postgresCode } from '../../postgres/postgres-errors.js';
import type { Postgres } from '../../postgres/postgres.js';
import { asError, type Failed } from '../outcomes-of.js';
import type { PreparedCommand } from '../prepare-command.js';
import { holdGroup, recordedEvents, writeGroup, type HeldGroup } from './commit-group.js';
import type { CommitConfig } from './commit-variables.js';
import type { AnswerLedger } from './create-answer-ledger.js';
import type { Verdict } from './judge-group.js';
import { lookUpCommit } from './look-up-commit.js';

/** `events`: those of an accepted command, as the journal holds them. */
export type Judged = {
  readonly kind: 'judged';
  readonly id: string;
  readonly verdict: Verdict;
  readonly events: readonly RecordedEvent[];
};

/** What became of each command, in order. DependencyError: nothing was committed, or, `outcomeUnknown`, nobody can tell. */
export type CommitPoint = (commands: readonly PreparedCommand[]) => Promise<readonly (Judged | Failed)[]>;

export type CommitPointDeps = {
  readonly postgres: Postgres;
  readonly ledger: AnswerLedger;
  readonly owner: string;
  readonly clock: Clock;
  readonly config: CommitConfig;
  /** Runs inside the transaction, when everything is written. */
  readonly beforeEnd: (commandIds: readonly string[]) => Promise<void>;
};

export function createCommitPoint({ postgres, ledger, owner, clock, config, beforeEnd }: CommitPointDeps): CommitPoint {
  async function commitTogether(commands: readonly PreparedCommand[]): Promise<readonly Judged[]> {
    const answered = ledger.takeAnswered();
    const now = clock.now();
    const held: HeldGroup[] = [];
    try {
      const positions = await postgres.transaction(async (transaction) => {
        const group = await holdGroup(transaction, commands, now);
        held.push(group);
        const written = await writeGroup(transaction, group, { owner, leaseMs: config.leaseMs, now, answered });
        await beforeEnd(commands.map(({ id }) => id));
        return written;
      });
      return judgedOf(commands, held[0], positions);
    } catch (error) {
      ledger.giveBack(answered);
      const [group] = held;
      if (!group || !(error instanceof DependencyError) || !error.outcomeUnknown) throw error;
      return judgedOf(commands, group, await lookUp(group, error));
    }
  }

  async function lookUp(group: HeldGroup, lost: DependencyError): Promise<readonly number[]> {
    try {
      return await lookUpCommit(postgres, { group, lost, patienceMs: config.lookUpMs });
    } catch (error) {
      if (error === lost) await ledger.giveUp(group.accepted.map(({ id }) => id));
      throw error;
    }
  }

  return async (commands) => {
    try {
      return await commitTogether(commands);
    } catch (error) {
      if (commands.length === 1 || (error instanceof DependencyError && !isDeadlock(error))) throw error;
    }
    const judged: (Judged | Failed)[] = [];
    let down: DependencyError | null = null;
    for (const command of commands) {
      try {
        // What failed for one by no fault of its own is not waited for again by each of the others.
        if (down) throw down;
        judged.push(...(await commitTogether([command])));
      } catch (error) {
        if (error instanceof DependencyError && !isDeadlock(error)) down = error;
        judged.push({ kind: 'failed', error: asError(error) });
      }
    }
    return judged;
  };
}

/** Of our groups none waits for another in a circle; whoever else works on these tables may. Postgres ends one of the two. */
function isDeadlock({ cause }: DependencyError): boolean {
  return postgresCode(cause) === '40P01';
}

function judgedOf(
  commands: readonly PreparedCommand[],
  group: HeldGroup | undefined,
  positions: readonly number[],
): readonly Judged[] {
  const accepted = group?.accepted ?? [];
  const events = recordedEvents(accepted, positions);
  let before = 0;
  const eventsOf = new Map(
    accepted.map(({ id, events: { length } }) => [id, events.slice(before, (before += length))]),
  );
  return commands.map(({ id }, index) => {
    const verdict = group?.verdicts[index];
    if (!verdict) throw new Error(`No verdict on command ${index + 1} of ${commands.length}`);
    return { kind: 'judged', id, verdict, events: eventsOf.get(id) ?? [] };
  });
}
