/**
 * Group commit over two databases: many answers need few transactions, and a command waits for one running group at
 * most.
 */
import { expect } from 'chai';
import type { CommitGraph } from '../../../shared/engines/postgres/commit/graph-guard.js';
import type { Queryable } from '../../../shared/engines/postgres/connection/postgres.js';
import { command } from '../../support/adapters/committers.js';
import { OUTBOX_GRAPHS } from '../../support/adapters/graphs.js';
import { commitGraph, openOutboxSetup, type OutboxSetup } from '../../support/adapters/outbox-setup.js';
import { expectGraphMatchesJournal } from '../../support/checks/examine-outbox.js';
import { associated, deleted, stored, updated } from '../../support/fixtures/events.js';

const CLIENTS = 16;
const COMMANDS_EACH = 20;

/** So many that the planner prefers the index to a sequential scan. */
const OTHER_SUBJECTS = 10_000;
/** From the sixth execution on, Postgres keeps a generic plan. */
const TURNS = 8;

for (const adapter of OUTBOX_GRAPHS) {
  describe(`outbox group commit: ${adapter.name}`, () => {
    let setup: OutboxSetup;
    beforeEach(async () => (setup = await openOutboxSetup(adapter)));
    afterEach(() => setup.close());

    it(`needs at most one transaction for four commands in each database`, async () => {
      let applies = 0;
      const graph: CommitGraph = commitGraph(setup.graph);
      const { committer, ...process } = setup.start({
        graph: { ping: graph.ping, apply: (events) => ((applies += 1), graph.apply(events)) },
      });
      const client = async (clientNumber: number): Promise<void> => {
        for (let turn = 1; turn <= COMMANDS_EACH; turn += 1)
          await committer.commit([command([stored(clientNumber * COMMANDS_EACH + turn)])]);
      };
      await Promise.all(Array.from({ length: CLIENTS }, (_, clientNumber) => client(clientNumber)));

      const events = await expectGraphMatchesJournal({ committer, ...process }, setup.graph.reader);
      expect(events).to.have.length(CLIENTS * COMMANDS_EACH);
      // `now()` is the start time of a transaction, so the number of distinct times is the number of transactions.
      const {
        rows: [row],
      } = await setup.temporary.postgres.query<{ groups: number }>(
        'SELECT count(DISTINCT recorded_at) AS groups FROM journal',
      );
      expect(row?.groups).to.be.within(COMMANDS_EACH, events.length / 4);
      expect(applies).to.equal(row?.groups);
    });

    it('scans no table sequentially, however many subjects exist', async () => {
      const { postgres } = setup.temporary;
      await postgres.query(
        `INSERT INTO subjects (subject, version, revision, present) SELECT 'other-' || n, 1, 1, true FROM generate_series(1, ${OTHER_SUBJECTS}) AS n`,
      );
      await postgres.query(
        `INSERT INTO association_ends (memory_id, subject) SELECT 'other-' || n, 'other-' || n FROM generate_series(1, ${OTHER_SUBJECTS}) AS n`,
      );
      await postgres.query('ANALYZE subjects, association_ends');
      const { committer, close } = setup.start();
      const before = await rowsReadInSequence(postgres);
      for (let turn = 0; turn < TURNS; turn += 1) {
        const [one, two] = [2 * turn + 1, 2 * turn + 2];
        await committer.commit([command([stored(one)]), command([stored(two)])]);
        await committer.commit([command([updated(one, 2)]), command([associated(one, two)])]);
        await committer.commit([command([deleted(two, 2)])]);
      }
      // Closing the connections flushes their statistics.
      await close();
      expect((await rowsReadInSequence(postgres)) - before).to.be.below(OTHER_SUBJECTS);
    });
  });
}

/** Rows of sequential scans in the tables that grow with the memories. */
async function rowsReadInSequence(postgres: Queryable): Promise<number> {
  const {
    rows: [row],
  } = await postgres.query<{ count: number }>(
    `SELECT sum(seq_tup_read)::bigint AS count FROM pg_stat_user_tables WHERE relname IN ('subjects', 'association_ends', 'journal')`,
  );
  return row?.count ?? 0;
}
