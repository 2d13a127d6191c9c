/** The committer while its graph is down, too far behind, or refuses an event: callers hear the truth, and what was committed is shown in the end. */
import { expect } from 'chai';
import { DependencyError } from '../../shared/kernel/errors.js';
import { createBreaker } from '../support/create-breaker.js';
import { command } from '../support/committers.js';
import { numberedId, stored, updated } from '../support/events.js';
import { expectGraphToShowJournal, wholeJournal } from '../support/examine-outbox.js';
import { GRAPH_ADAPTERS } from '../support/graph-adapters.js';
import { holdingFailpoints } from '../support/holding-failpoints.js';
import { commitGraph, openOutboxStage, type OutboxStage } from '../support/outbox.js';
import { rejection } from '../support/rejection.js';
import { isServerWanted } from '../support/servers.js';
import { until } from '../support/until.js';

const fingerprint = 'f'.repeat(64);

for (const adapter of isServerWanted('postgres') ? GRAPH_ADAPTERS : []) {
  describe(`the commit protocol over postgres and ${adapter.name}, its graph in trouble`, () => {
    let stage: OutboxStage;
    beforeEach(async () => (stage = await openOutboxStage(adapter)));
    afterEach(() => stage.close());

    const isShown = async (number: number): Promise<boolean> =>
      (await stage.graph.reader.memories([numberedId(number)])).length === 1;

    it('tells those whose events it could not show that they may stand, commits nothing while it is down, and catches up', async () => {
      const breaker = createBreaker('graph');
      const graph = breaker.guard(commitGraph(stage.graph));
      const { committer, journal } = stage.start({ graph });
      breaker.break();
      const error = await rejection(committer.commit([command([stored(1)])]));
      expect(error)
        .to.be.instanceOf(DependencyError)
        .and.to.include({ dependency: 'graph', message: 'Graph database unavailable', outcomeUnknown: true });
      const refusal = await rejection(committer.commit([command([stored(2)])]));
      expect(refusal)
        .to.be.instanceOf(DependencyError)
        .and.to.include({ dependency: 'graph', outcomeUnknown: false, retryAfterSeconds: 2 });
      expect(await wholeJournal(journal)).to.have.length(1);
      breaker.mend();
      await until('the graph shows it', () => isShown(1));
      expect((await committer.commit([command([stored(2)])]))[0]?.kind).to.equal('committed');
    });

    it('refuses a repeated request that it cannot show either, and answers it when it can', async () => {
      const breaker = createBreaker('graph');
      const graph = breaker.guard(commitGraph(stage.graph));
      const { committer } = stage.start({ graph });
      breaker.break();
      await rejection(committer.commit([command([stored(1)], { fingerprint })]));
      expect(await rejection(committer.earlier({ key: null, fingerprint }))).to.have.property(
        'message',
        'Graph database unavailable',
      );
      breaker.mend();
      expect(await committer.earlier({ key: null, fingerprint })).to.have.property('kind', 'repeated');
      expect(await isShown(1)).to.equal(true);
    });

    it('lets an event that the graph refuses for good hold up no other, and shows it when the graph takes it', async () => {
      let isRefused = true;
      const { apply, ping } = commitGraph(stage.graph);
      const graph = {
        ping,
        apply: async (events: Parameters<typeof apply>[0]) => {
          if (isRefused && events.some(({ subject }) => subject === numberedId(1)))
            throw new TypeError('a mistake of the adapter');
          await apply(events);
        },
      };
      const process = stage.start({ graph, config: { leaseMs: 200 } });
      const [refused, shown] = await Promise.allSettled([
        process.committer.commit([command([stored(1)], { fingerprint })]),
        process.committer.commit([command([stored(2)])]),
      ]);
      expect(refused).to.have.nested.property('reason.outcomeUnknown', true);
      expect(shown).to.have.nested.property('value[0].kind', 'committed');
      expect((await process.committer.commit([command([stored(3)])]))[0]?.kind).to.equal('committed');
      expect(await process.committer.pending()).to.equal(1);
      isRefused = false;
      await expectGraphToShowJournal(process, stage.graph.reader);
      expect(await process.committer.earlier({ key: null, fingerprint })).to.have.nested.property(
        'events[0].position',
        1,
      );
    });

    it('refuses commands while more events wait for the graph than are allowed', async () => {
      const held = holdingFailpoints();
      const busy = stage.start({ failpoints: held.failpoints });
      const full = stage.start({ config: { pendingLimit: 1 } });
      held.hold('before_apply');
      const waiting = busy.committer.commit([command([stored(1)])]);
      await held.reached();
      const error = await until('it noticed', () =>
        full.committer.commit([command([updated(7, 2)])]).then(
          () => null,
          (refusal: Error) => refusal,
        ),
      );
      expect(error.message).to.contain('COMMIT_PENDING_LIMIT');
      held.release();
      await waiting;
      await until('it accepts again', () =>
        full.committer.commit([command([stored(2)])]).then(
          () => true,
          () => false,
        ),
      );
    });
  });
}
