/** Group commit over two stores: many acknowledgements cost few transactions, and nobody waits for more than a group. */
import { expect } from 'chai';
import type { CommitGraph } from '../../shared/commit/outbox/create-graph-guard.js';
import { command } from '../support/committers.js';
import type { Queryable } from '../../shared/postgres/postgres.js';
import { associated, deleted, stored, updated } from '../support/events.js';
import { expectGraphToShowJournal } from '../support/examine-outbox.js';
import { GRAPH_ADAPTERS } from '../support/graph-adapters.js';
import { commitGraph, openOutboxStage, type OutboxStage } from '../support/outbox.js';
import { isServerWanted } from '../support/servers.js';

const CLIENTS = 16;
const COMMANDS_EACH = 20;

/** More than are read in sequence because they are few. */
const OTHERS = 10_000;
/** From the sixth on the server has a plan that it keeps for all. */
const TURNS = 8;

for (const adapter of isServerWanted('postgres') ? GRAPH_ADAPTERS : []) {
  describe(`group commit over postgres and ${adapter.name}`, function () {
    this.timeout(60_000);
    let stage: OutboxStage;
    beforeEach(async () => (stage = await openOutboxStage(adapter)));
    afterEach(() => stage.close());

    it(`takes at most a quarter of the transactions that ${CLIENTS} clients have commands, in each store`, async () => {
      let applies = 0;
      const graph: CommitGraph = commitGraph(stage.graph);
      const { committer, ...process } = stage.start({
        graph: { ping: graph.ping, apply: (events) => ((applies += 1), graph.apply(events)) },
      });
      const client = async (clientNumber: number): Promise<void> => {
        for (let turn = 1; turn <= COMMANDS_EACH; turn += 1)
          await committer.commit([command([stored(clientNumber * COMMANDS_EACH + turn)])]);
      };
      await Promise.all(Array.from({ length: CLIENTS }, (_, clientNumber) => client(clientNumber)));

      const events = await expectGraphToShowJournal({ committer, ...process }, stage.graph.reader);
      expect(events).to.have.length(CLIENTS * COMMANDS_EACH);
      // `now()` is the time when a transaction began, so as many times are as many transactions.
      const {
        rows: [row],
      } = await stage.temporary.postgres.query<{ groups: number }>(
        'SELECT count(DISTINCT recorded_at) AS groups FROM journal',
      );
      expect(row?.groups).to.be.within(COMMANDS_EACH, events.length / 4);
      expect(applies).to.equal(row?.groups);
    });

    it('reads no table from end to end, however many subjects there are', async () => {
      const { postgres } = stage.temporary;
      await postgres.query(
        `INSERT INTO subjects (subject, version, revision, present) SELECT 'other-' || n, 1, 1, true FROM generate_series(1, ${OTHERS}) AS n`,
      );
      await postgres.query(
        `INSERT INTO association_ends (memory_id, subject) SELECT 'other-' || n, 'other-' || n FROM generate_series(1, ${OTHERS}) AS n`,
      );
      await postgres.query('ANALYZE subjects, association_ends');
      const { committer, close } = stage.start();
      const before = await rowsReadInSequence(postgres);
      for (let turn = 0; turn < TURNS; turn += 1) {
        const [one, two] = [2 * turn + 1, 2 * turn + 2];
        await committer.commit([command([stored(one)]), command([stored(two)])]);
        await committer.commit([command([updated(one, 2)]), command([associated(one, two)])]);
        await committer.commit([command([deleted(two, 2)])]);
      }
      // A connection that ends has said what it did.
      await close();
      expect((await rowsReadInSequence(postgres)) - before).to.be.below(OTHERS);
    });
  });
}

/** Of the tables that grow with the memories. */
async function rowsReadInSequence(postgres: Queryable): Promise<number> {
  const {
    rows: [row],
  } = await postgres.query<{ count: number }>(
    `SELECT sum(seq_tup_read)::bigint AS count FROM pg_stat_user_tables WHERE relname IN ('subjects', 'association_ends', 'journal')`,
  );
  return row?.count ?? 0;
}
