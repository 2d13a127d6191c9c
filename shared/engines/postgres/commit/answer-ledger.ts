/**
 * Remembers which commands of this process were answered and which were abandoned, until Postgres knows it too, so that
 * an equal request is recognized as new or as a repeat. Lossy by design: commands that a crash forgets count as
 * unanswered.
 */
import type { Logger } from '../../../kernel/logger.js';
import { addBounded } from '../../sql/bounded-set.js';
import { type Queryable, statement } from '../connection/postgres.js';
import { journalMigrations } from '../schema/journal.js';

const FORGET = statement(
  journalMigrations,
  'forget_answered',
  'DELETE FROM unanswered WHERE command_id IN (SELECT command_id FROM unanswered WHERE command_id = ANY ($1) ORDER BY command_id FOR UPDATE)',
);
/** Also ends the leases of their rows, so that any process can claim them immediately. */
const ABANDON = statement(
  journalMigrations,
  'abandon',
  `WITH released AS (
     UPDATE outbox_pending SET lease_until = clock_timestamp() WHERE position = ANY (ARRAY(
       SELECT position FROM outbox_pending WHERE command_id = ANY ($1) ORDER BY position + 0 FOR UPDATE
     ))
   )
   UPDATE unanswered SET owner = NULL WHERE command_id IN (
     SELECT command_id FROM unanswered WHERE command_id = ANY ($1) ORDER BY command_id FOR UPDATE
   )`,
);

export interface AnswerLedger {
  answered(commandId: string): void;
  /**
   * This process stops working on the commands. Reports it to Postgres now or, after a failure, with a later flush.
   * Never rejects.
   */
  abandon(commandIds: readonly string[]): Promise<void>;
  isAbandoned(commandId: string): boolean;
  /**
   * Returns the commands answered since the last call, for a statement that deletes them. After a failure, restore
   * them.
   */
  takeAnswered(): readonly string[];
  restoreAnswered(commandIds: readonly string[]): void;
  /** Reports to Postgres everything that is still unreported. */
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
  const abandoned = new Set<string>();
  /** The abandoned commands that Postgres does not know yet. */
  const unreported = new Set<string>();

  async function report(change: typeof FORGET, ids: Set<string>): Promise<void> {
    if (ids.size === 0) return;
    const reporting = [...ids];
    ids.clear();
    try {
      await postgres.query(change, [reporting]);
    } catch (error) {
      reporting.forEach((id) => addBounded(ids, id));
      throw error;
    }
  }

  return {
    answered: (commandId) => {
      abandoned.delete(commandId);
      unreported.delete(commandId);
      addBounded(answered, commandId);
    },
    abandon: async (commandIds) => {
      if (commandIds.length === 0) return;
      for (const id of commandIds) {
        addBounded(abandoned, id);
        addBounded(unreported, id);
      }
      await report(ABANDON, unreported).catch((err: unknown) =>
        logger.warn({ err }, 'report of abandoned commands failed; the next sweep reports them'),
      );
    },
    isAbandoned: (commandId) => abandoned.has(commandId),
    takeAnswered: () => {
      const taken = [...answered];
      answered.clear();
      return taken;
    },
    restoreAnswered: (commandIds) => commandIds.forEach((id) => addBounded(answered, id)),
    flush: async () => {
      await report(ABANDON, unreported);
      await report(FORGET, answered);
    },
  };
}
