/** The committer with an event that the graph can never finish: other commands and pending events go on. */
import { expect } from 'chai';
import type { CommitGraph } from '../../../shared/engines/postgres/commit/graph-guard.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { command, switchedFailpoints } from '../../support/adapters/committers.js';
import { OUTBOX_GRAPHS } from '../../support/adapters/graphs.js';
import { commitGraph, openOutboxSetup, type OutboxSetup } from '../../support/adapters/outbox-setup.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { numberedId, stored } from '../../support/fixtures/events.js';

const refuse = () => Promise.reject(new DependencyError('graph', 'connection refused'));
const UNREACHABLE: CommitGraph = { ping: refuse, apply: refuse };

for (const adapter of OUTBOX_GRAPHS) {
  describe(`outbox with a poison event: ${adapter.name}`, () => {
    let setup: OutboxSetup;
    beforeEach(async () => (setup = await openOutboxSetup(adapter)));
    afterEach(() => setup.close());

    /** A graph whose transaction always times out with an event of these memories. */
    function timingOut(isPoison: (number: number) => boolean): CommitGraph {
      const { apply, ping } = commitGraph(setup.graph);
      return {
        ping,
        apply: async (events) => {
          if (events.some(({ subject }) => isPoison(Number(subject.slice(-12)))))
            throw new DependencyError('graph', 'timed out', { isReachable: true });
          await apply(events);
        },
      };
    }

    it('accepts unrelated commands while one event always times out', async () => {
      const { committer } = setup.start({ graph: timingOut((number) => number === 1), config: { leaseMs: 1_000 } });
      const poison = committer.commit([command([stored(1)])]).catch((error: unknown) => error);
      const results = [];
      for (let number = 2; number <= 60; number += 1) {
        results.push(...(await Promise.allSettled([committer.commit([command([stored(number)])])])));
      }
      expect(await poison).to.include({ dependency: 'graph', outcomeUnknown: true });
      expect(results.filter(({ status }) => status === 'rejected')).to.deep.equal([]);
    });

    it('delays other commands by less than the time of a slow event', async () => {
      const { apply, ping } = commitGraph(setup.graph);
      let hasBegun = false;
      let finishSlow = (): void => undefined;
      const slow = new Promise<void>((resolve) => (finishSlow = resolve));
      const graph: CommitGraph = {
        ping,
        apply: async (events) => {
          if (events.some(({ subject }) => subject === numberedId(1))) {
            hasBegun = true;
            await slow;
          }
          await apply(events);
        },
      };
      const { committer } = setup.start({ graph });
      const first = committer.commit([command([stored(1)])]);
      await until('the slow call began', () => hasBegun);
      for (const number of [2, 3, 4]) {
        expect((await committer.commit([command([stored(number)])]))[0]?.kind).to.equal('committed');
      }
      finishSlow();
      expect((await first)[0]?.kind).to.equal('committed');
    });

    it('answers the other commands of its group first', async () => {
      const { apply, ping } = commitGraph(setup.graph);
      let end = (): void => undefined;
      const endless = new Promise<void>((resolve) => (end = resolve));
      let groups = 0;
      const graph: CommitGraph = {
        ping,
        apply: async (events, limits) => {
          if (!events.some(({ subject }) => subject === numberedId(1))) return apply(events);
          if (limits === undefined) await endless;
          else groups += 1;
          throw new DependencyError('graph', 'timed out', { isReachable: true });
        },
      };
      const { committer } = setup.start({ graph });
      const commit = (number: number) => committer.commit([command([stored(number)])]);
      const first = commit(4); // the others wait for it, and become one group
      const poison = commit(1);
      for (const [outcome] of await Promise.all([first, commit(2), commit(3)])) {
        expect(outcome?.kind).to.equal('committed');
      }
      expect(groups, 'groups with the event').to.equal(1);
      end();
      expect(await rejection(poison)).to.include({ dependency: 'graph', outcomeUnknown: true });
    });

    it('applies rows of a crash behind a hundred poison events', async () => {
      const failpoints = switchedFailpoints();
      failpoints.broken.add('after_commit');
      // Its own sweep must not apply the events, so it never reaches the graph.
      const crashed = setup.start({ failpoints, graph: UNREACHABLE });
      const numbers = Array.from({ length: 150 }, (_, index) => index + 1);
      await rejection(crashed.committer.commit(numbers.map((number) => command([stored(number)]))));
      setup.start({ graph: timingOut((number) => number <= 100) });
      await until('the graph has the other events', async () => {
        const memories = await setup.graph.reader.memories(numbers.map(numberedId));
        return memories.length === 50;
      });
    });
  });
}
