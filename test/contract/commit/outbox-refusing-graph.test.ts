/** The committer over a graph that answers pings and refuses every event fast: no event becomes a dead letter. */
import { expect } from 'chai';
import type { CommitGraph } from '../../../shared/engines/postgres/commit/graph-guard.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { command } from '../../support/adapters/committers.js';
import { OUTBOX_GRAPHS } from '../../support/adapters/graphs.js';
import { commitGraph, openOutboxSetup, type OutboxSetup } from '../../support/adapters/outbox-setup.js';
import { expectGraphMatchesJournal } from '../../support/checks/examine-outbox.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { stored } from '../../support/fixtures/events.js';

const MEMORIES = 40;
/** Enough for each event to reach the last attempt, if attempts counted. */
const ATTEMPTS = 4 * MEMORIES;
const QUICK = { maxAttempts: 2, retryMinimumMs: 10, retryMaximumMs: 10, sweepMs: 10 };

for (const adapter of OUTBOX_GRAPHS) {
  describe(`outbox with a refusing graph: ${adapter.name}`, () => {
    let setup: OutboxSetup;
    beforeEach(async () => (setup = await openOutboxSetup(adapter)));
    afterEach(() => setup.close());

    it('counts as down and buries no event', async () => {
      let isRefusing = true;
      let attempts = 0;
      let next = MEMORIES;
      const { apply, ping } = commitGraph(setup.graph);
      const graph: CommitGraph = {
        ping,
        apply: async (events) => {
          if (!isRefusing) return apply(events);
          attempts += 1;
          throw new DependencyError('graph', 'The memory pool is exhausted', { isReachable: true });
        },
      };
      const { deadLetters } = postgresRecords(setup.temporary.postgres);
      const process = setup.start({ graph, config: QUICK });
      const numbers = Array.from({ length: MEMORIES }, (_, index) => index + 1);
      await Promise.allSettled(numbers.map((number) => process.committer.commit([command([stored(number)])])));
      const buried = () => deadLetters.count('commit');
      await until('the events were tried again', async () => attempts >= ATTEMPTS || (await buried()) > 0);
      expect(await buried()).to.equal(0);
      await until('a command is refused before it is committed', async () => {
        const refusal = await rejection(process.committer.commit([command([stored((next += 1))])]));
        return refusal instanceof DependencyError && !refusal.outcomeUnknown;
      });
      isRefusing = false;
      await until('every event is applied', async () => (await process.committer.pending()) === 0);
      await expectGraphMatchesJournal(process, setup.graph.reader);
      expect((await process.committer.commit([command([stored(next + 1)])]))[0]?.kind).to.equal('committed');
    });
  });
}
