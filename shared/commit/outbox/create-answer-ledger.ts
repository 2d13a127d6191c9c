/**
 * Which commands of this process have their answers, and which were given up: kept here until Postgres knows it too, so that an equal
 * request is taken for what it is. Lossy by design: what a crash takes along is only ever taken for unanswered.
 */
import { journalMigrations } from '../../journal/postgres/migrations.js';
import type { Logger } from '../../kernel/logger.js';
import { statement, type Queryable } from '../../postgres/postgres.js';

/** Commands of one kind that are remembered; the oldest is forgotten first. */
const REMEMBERED_LIMIT = 10_000;

const FORGET = statement(
  journalMigrations,
  'forget_answered',
  'DELETE FROM unanswered WHERE command_id IN (SELECT command_id FROM unanswered WHERE command_id = ANY ($1) ORDER BY command_id FOR UPDATE)',
);
/** Their rows are anybody's at once. */
const ABANDON = statement(
  journalMigrations,
  'abandon',
  `WITH released AS (
     UPDATE outbox_pending SET lease_until = clock_timestamp() WHERE position IN (
       SELECT position FROM outbox_pending WHERE command_id = ANY ($1) ORDER BY position FOR UPDATE
     )
   )
   UPDATE unanswered SET owner = NULL WHERE command_id IN (
     SELECT command_id FROM unanswered WHERE command_id = ANY ($1) ORDER BY command_id FOR UPDATE
   )`,
);

export interface AnswerLedger {
  answered(commandId: string): void;
  /** Nobody here goes on with them. The others learn of it now, or from a later flush. */
  giveUp(commandIds: readonly string[]): Promise<void>;
  isGivenUp(commandId: string): boolean;
  /** Those answered since the last time, for a statement that forgets them; given back when it failed. */
  takeAnswered(): readonly string[];
  giveBack(commandIds: readonly string[]): void;
  /** Tells Postgres everything that it does not know yet. */
  flush(): Promise<void>;
}

export function createAnswerLedger({
  postgres,
  logger,
}: {
  readonly postgres: Queryable;
  readonly logger: Logger;
}): AnswerLedger {
  const answered = new Set<string>();
  const givenUp = new Set<string>();
  /** Those of the given up that Postgres does not know of. */
  const untold = new Set<string>();

  async function tell(told: typeof FORGET, ids: Set<string>): Promise<void> {
    if (ids.size === 0) return;
    const telling = [...ids];
    ids.clear();
    try {
      await postgres.query(told, [telling]);
    } catch (error) {
      telling.forEach((id) => remember(ids, id));
      throw error;
    }
  }

  return {
    answered: (commandId) => {
      givenUp.delete(commandId);
      untold.delete(commandId);
      remember(answered, commandId);
    },
    giveUp: async (commandIds) => {
      if (commandIds.length === 0) return;
      for (const id of commandIds) {
        remember(givenUp, id);
        remember(untold, id);
      }
      await tell(ABANDON, untold).catch((error: unknown) =>
        logger.warn({ error }, 'that commands were given up is passed on later'),
      );
    },
    isGivenUp: (commandId) => givenUp.has(commandId),
    takeAnswered: () => {
      const taken = [...answered];
      answered.clear();
      return taken;
    },
    giveBack: (commandIds) => commandIds.forEach((id) => remember(answered, id)),
    flush: async () => {
      await tell(ABANDON, untold);
      await tell(FORGET, answered);
    },
  };
}

function remember(set: Set<string>, id: string): void {
  set.add(id);
  if (set.size > REMEMBERED_LIMIT) set.delete(set.values().next().value ?? id);
}
