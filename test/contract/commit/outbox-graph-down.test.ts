/**
 * The committer while its graph is down, too far behind, or rejects an event: callers get correct errors, and all
 * committed events reach the graph.
 */
import { expect } from 'chai';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { command } from '../../support/adapters/committers.js';
import { OUTBOX_GRAPHS } from '../../support/adapters/graphs.js';
import { commitGraph, openOutboxSetup, type OutboxSetup } from '../../support/adapters/outbox-setup.js';
import { expectGraphMatchesJournal, readWholeJournal } from '../../support/checks/examine-outbox.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { createBreaker } from '../../support/faults/breaker.js';
import { holdingFailpoints } from '../../support/faults/holding-failpoints.js';
import { numberedId, stored, updated } from '../../support/fixtures/events.js';

const fingerprint = 'f'.repeat(64);

for (const adapter of OUTBOX_GRAPHS) {
  describe(`outbox without its graph: ${adapter.name}`, () => {
    let setup: OutboxSetup;
    beforeEach(async () => (setup = await openOutboxSetup(adapter)));
    afterEach(() => setup.close());

    const isApplied = async (number: number): Promise<boolean> =>
      (await setup.graph.reader.memories([numberedId(number)])).length === 1;

    it('reports an unknown outcome, commits nothing more and catches up', async () => {
      const breaker = createBreaker('graph');
      const graph = breaker.guard(commitGraph(setup.graph));
      const { committer, journal } = setup.start({ graph });
      breaker.break();
      const error = await rejection(committer.commit([command([stored(1)])]));
      expect(error)
        .to.be.instanceOf(DependencyError)
        .and.to.include({ dependency: 'graph', message: 'Graph database unavailable', outcomeUnknown: true });
      const refusal = await rejection(committer.commit([command([stored(2)])]));
      expect(refusal)
        .to.be.instanceOf(DependencyError)
        .and.to.include({ dependency: 'graph', outcomeUnknown: false, retryAfterSeconds: 2 });
      expect(await readWholeJournal(journal)).to.have.length(1);
      breaker.mend();
      await until('the graph has the event', () => isApplied(1));
      expect((await committer.commit([command([stored(2)])]))[0]?.kind).to.equal('committed');
    });

    it('refuses a repeated request until the graph is up again', async () => {
      const breaker = createBreaker('graph');
      const graph = breaker.guard(commitGraph(setup.graph));
      const { committer } = setup.start({ graph });
      breaker.break();
      await rejection(committer.commit([command([stored(1)], { fingerprint })]));
      expect(await rejection(committer.earlier({ key: null, fingerprint }))).to.have.property(
        'message',
        'Graph database unavailable',
      );
      breaker.mend();
      expect(await committer.earlier({ key: null, fingerprint })).to.have.property('kind', 'repeated');
      expect(await isApplied(1)).to.equal(true);
    });

    it('keeps a rejected event pending without blocking others', async () => {
      let isRejecting = true;
      const { apply, ping } = commitGraph(setup.graph);
      const graph = {
        ping,
        apply: async (events: Parameters<typeof apply>[0]) => {
          if (isRejecting && events.some(({ subject }) => subject === numberedId(1)))
            throw new TypeError('a bug of the adapter');
          await apply(events);
        },
      };
      const process = setup.start({ graph, config: { leaseMs: 200 } });
      const [refused, applied] = await Promise.allSettled([
        process.committer.commit([command([stored(1)], { fingerprint })]),
        process.committer.commit([command([stored(2)])]),
      ]);
      expect(refused).to.have.nested.property('reason.outcomeUnknown', true);
      expect(applied).to.have.nested.property('value[0].kind', 'committed');
      expect((await process.committer.commit([command([stored(3)])]))[0]?.kind).to.equal('committed');
      expect(await process.committer.pending()).to.equal(1);
      isRejecting = false;
      await expectGraphMatchesJournal(process, setup.graph.reader);
      expect(await process.committer.earlier({ key: null, fingerprint })).to.have.nested.property(
        'events[0].subject',
        numberedId(1),
      );
    });

    it('refuses commands above COMMIT_PENDING_LIMIT', async () => {
      const held = holdingFailpoints();
      const busy = setup.start({ failpoints: held.failpoints });
      const full = setup.start({ config: { pendingLimit: 1 } });
      held.hold('before_apply');
      const waiting = busy.committer.commit([command([stored(1)])]);
      await held.reached();
      const error = await until('the committer counts the pending event', () =>
        full.committer.commit([command([updated(7, 2)])]).then(
          () => null,
          (refusal: Error) => refusal,
        ),
      );
      expect(error.message).to.contain('COMMIT_PENDING_LIMIT');
      held.release();
      await waiting;
      await until('the committer accepts commands again', () =>
        full.committer.commit([command([stored(2)])]).then(
          () => true,
          () => false,
        ),
      );
    });
  });
}
