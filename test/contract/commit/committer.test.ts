/** Contract of every committer for versions, positions and groups. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import type { Outcome } from '../../../shared/ports/committer.js';
import {
  command,
  COMMITTER_ADAPTERS,
  type OpenCommitter,
  switchedFailpoints,
  unwritable,
} from '../../support/adapters/committers.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { associated, deleted, memory, numberedId, stored, updated } from '../../support/fixtures/events.js';

const clock = { now: () => new Date('2024-01-01T10:00:00Z') };

for (const adapter of COMMITTER_ADAPTERS) {
  describe(`committer: ${adapter.name}`, () => {
    let opened: OpenCommitter;
    let failpoints: ReturnType<typeof switchedFailpoints>;
    let published: RecordedEvent[];
    let isPublisherBroken: boolean;
    beforeEach(async () => {
      failpoints = switchedFailpoints();
      published = [];
      isPublisherBroken = false;
      const append = async (events: readonly RecordedEvent[]): Promise<void> => {
        if (isPublisherBroken) throw new Error('the stream is down');
        published.push(...events);
      };
      opened = await adapter.open({ clock, failpoints, publisher: { append } });
    });
    afterEach(() => opened.close());

    const commit = async (...commands: Parameters<typeof command>[]): Promise<readonly Outcome[]> =>
      opened.committer.commit(commands.map((args) => command(...args)));
    const journal = (): Promise<readonly RecordedEvent[]> => opened.journal.read({ after: 0, limit: 10_000 });

    it('makes events durable, applies them and wakes the stream', async () => {
      const [outcome] = await commit([[stored(1), stored(2), associated(1, 2)]]);
      expect(outcome).to.have.property('kind', 'committed');
      const events = await journal();
      expect(outcome).to.deep.equal({ kind: 'committed', events });
      await until('the stream knows of all events', () => published.length === events.length);
      expect(published).to.deep.equal(events);
      expect((await opened.graph.memories([numberedId(1)])).map((loaded) => loaded.memory)).to.deep.equal([memory(1)]);
      expect(
        await opened.graph.associations([{ source: numberedId(1), type: 'RELATES_TO', target: numberedId(2) }]),
      ).to.have.length(1);
      expect(await opened.committer.pending()).to.equal(0);
    });

    it('keeps committed events over a restart', async () => {
      await commit([[stored(1)]]);
      opened = await opened.restart();
      expect(await journal()).to.have.length(1);
      expect(await commit([[stored(1)]])).to.deep.equal([{ kind: 'conflict', subject: numberedId(1), version: 1 }]);
    });

    it('commits when the stream wake-up fails', async () => {
      isPublisherBroken = true;
      expect(await commit([[stored(1)]])).to.have.nested.property('[0].kind', 'committed');
    });

    it('refuses a wrong expected version and returns the current one', async () => {
      await commit([[stored(1)]], [[updated(1, 2)]]);
      expect(await commit([[updated(1, 2, { content: 'late' })]])).to.deep.equal([
        { kind: 'conflict', subject: numberedId(1), version: 2 },
      ]);
      expect(await commit([[updated(1, 5)]])).to.deep.equal([{ kind: 'conflict', subject: numberedId(1), version: 2 }]);
      expect(await journal()).to.have.length(2);
    });

    it('lets one of many racing commands win each version, without gaps', async () => {
      await commit([[stored(1)]]);
      for (let version = 2; version <= 5; version += 1) {
        const outcomes = await Promise.all(
          [1, 2, 3, 4].map((i) => commit([[updated(1, version, { content: `racer ${i}` })]])),
        );
        expect(
          outcomes
            .flat()
            .map(({ kind }) => kind)
            .sort(),
        ).to.deep.equal(['committed', 'conflict', 'conflict', 'conflict']);
      }
      expect(
        (await opened.journal.read({ after: 0, limit: 100, subject: numberedId(1) })).map(({ version }) => version),
      ).to.deep.equal([1, 2, 3, 4, 5]);
    });

    it('commits all events of a command or none', async () => {
      await commit([[stored(1)]]);
      expect(await commit([[stored(2), updated(1, 3)]])).to.deep.equal([
        { kind: 'conflict', subject: numberedId(1), version: 1 },
      ]);
      expect(await opened.graph.memories([numberedId(2)])).to.deep.equal([]);
    });

    it('makes one bad command of a group fail alone', async () => {
      const outcomes = await commit(
        [[stored(1)]],
        [[updated(9, 2)]],
        [[stored(2)]],
        [[associated(1, 8)]],
        [[stored(3)]],
      );
      expect(outcomes.map(({ kind }) => kind)).to.deep.equal([
        'committed',
        'conflict',
        'committed',
        'absent',
        'committed',
      ]);
      expect((await journal()).map(({ subject }) => subject)).to.deep.equal([1, 2, 3].map(numberedId));
    });

    it('makes a command that breaks the journal fail alone', async () => {
      const [first, second, third] = await Promise.allSettled([
        commit([[stored(1)]]),
        commit([[unwritable(2)]]),
        commit([[stored(3)]]),
      ]);
      expect([first.status, second.status, third.status]).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
      expect((await journal()).map(({ subject }) => subject)).to.deep.equal([1, 3].map(numberedId));
    });

    it('reports an unknown outcome when only some commands commit', async () => {
      const error = await rejection(commit([[stored(1)]], [[unwritable(2)]]));
      expect(error).to.be.instanceOf(DependencyError).and.to.include({ outcomeUnknown: true });
    });

    it('refuses a command that requires an absent or deleted memory', async () => {
      const requires = [numberedId(1)];
      expect(await commit([[stored(2)], { requires }])).to.deep.equal([{ kind: 'absent', memoryId: numberedId(1) }]);
      await commit([[stored(1)]], [[deleted(1, 2)]]);
      expect(await commit([[stored(2)], { requires }])).to.deep.equal([{ kind: 'absent', memoryId: numberedId(1) }]);
      expect(await commit([[updated(1, 3)]])).to.deep.equal([{ kind: 'absent', memoryId: numberedId(1) }]);
    });

    it('refuses a command whose unchanged subject has another version', async () => {
      await commit([[stored(1)]]);
      const at = (version: number, number = 1) => ({ unchanged: [{ subject: numberedId(number), version }] });
      expect(await commit([[stored(2)], at(1)])).to.have.nested.property('[0].kind', 'committed');
      expect(await commit([[updated(1, 2)]], [[stored(3)], at(1)], [[stored(4)], at(0, 5)])).to.deep.equal([
        { kind: 'committed', events: (await journal()).filter(({ version }) => version === 2) },
        { kind: 'conflict', subject: numberedId(1), version: 2 },
        { kind: 'committed', events: (await journal()).filter(({ subject }) => subject === numberedId(4)) },
      ]);
    });

    it('assigns positions in commit order, so that a reader misses no event', async () => {
      const TOTAL = 120;
      const seen: number[] = [];
      let isDone = false;
      const follow = async (): Promise<void> => {
        let after = 0;
        while (!isDone || after < (await opened.journal.head())) {
          const events = await opened.journal.read({ after, limit: 7 });
          for (const event of events) seen.push((after = event.position));
        }
      };
      const following = follow();
      await Promise.all(Array.from({ length: TOTAL }, (_, i) => commit([[stored(i + 1)]])));
      isDone = true;
      await following;
      expect(seen).to.deep.equal((await journal()).map(({ position }) => position));
      expect(seen).to.have.length(TOTAL);
    });

    if (adapter.features.steps.includes('before_commit')) {
      it('writes nothing when it fails before the commit', async () => {
        failpoints.broken.add('before_commit');
        const error = await rejection(commit([[stored(1)]]));
        expect(error).to.be.instanceOf(DependencyError).and.to.include({ outcomeUnknown: false });
        failpoints.broken.clear();
        expect(await journal()).to.deep.equal([]);
        expect(await commit([[stored(1)]])).to.have.nested.property('[0].kind', 'committed');
      });
    }
  });
}
