/** Contract of every committer for repeated requests: one effect and the first outcome. */
import { expect } from 'chai';
import { DependencyError } from '../../../shared/kernel/errors.js';
import type { Outcome } from '../../../shared/ports/committer.js';
import {
  command,
  COMMITTER_ADAPTERS,
  type OpenCommitter,
  switchedFailpoints,
} from '../../support/adapters/committers.js';
import { rejection } from '../../support/checks/rejection.js';
import { deleted, stored, updated } from '../../support/fixtures/events.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const key = { key: 'a'.repeat(64), requestHash: 'b'.repeat(64) };
const fingerprint = 'f'.repeat(64);

for (const adapter of COMMITTER_ADAPTERS) {
  describe(`committer repeats: ${adapter.name}`, () => {
    let opened: OpenCommitter;
    let failpoints: ReturnType<typeof switchedFailpoints>;
    let nowMs: number;
    beforeEach(async () => {
      nowMs = Date.parse('2024-01-01T10:00:00Z');
      failpoints = switchedFailpoints();
      opened = await adapter.open({
        clock: { now: () => new Date(nowMs) },
        failpoints,
        publisher: { append: async () => undefined },
      });
    });
    afterEach(() => opened.close());

    const commit = async (...args: Parameters<typeof command>): Promise<Outcome | undefined> =>
      (await opened.committer.commit([command(...args)]))[0];
    const pass = async (ms: number): Promise<void> => {
      nowMs += ms;
      await opened.age(ms);
    };
    const count = async (): Promise<number> => (await opened.journal.read({ after: 0, limit: 100 })).length;

    it('answers a known key with the first events', async () => {
      const first = await commit([stored(1), stored(2)], { key });
      const again = await commit([stored(3)], { key });
      expect(again).to.deep.equal({ ...first, kind: 'repeated' });
      expect(await opened.committer.earlier({ key, fingerprint: null })).to.deep.equal(again);
      expect(await count()).to.equal(2);
    });

    it('answers a key after an erasure with the remaining events', async () => {
      await commit([stored(1)], { key });
      await commit([deleted(1, 2)]);
      const again = await commit([stored(1)], { key });
      expect(again).to.have.property('events').that.has.length(1);
      expect(again).to.deep.include({ kind: 'repeated' }).and.have.nested.property('events[0].data', null);
    });

    it('refuses a key with another body', async () => {
      await commit([stored(1)], { key });
      const other = { ...key, requestHash: 'c'.repeat(64) };
      expect(await commit([stored(2)], { key: other })).to.deep.equal({ kind: 'key_reused' });
      expect(await opened.committer.earlier({ key: other, fingerprint: null })).to.deep.equal({ kind: 'key_reused' });
    });

    it('commits one of several racing commands with the same key', async () => {
      const outcomes = await Promise.all([1, 2, 3].map((number) => commit([stored(number)], { key })));
      expect(outcomes.map((outcome) => outcome?.kind).sort()).to.deep.equal(['committed', 'repeated', 'repeated']);
      expect(await count()).to.equal(1);
    });

    it('does not remember the key of a refused command', async () => {
      expect(await commit([updated(1, 2)], { key })).to.have.property('kind', 'conflict');
      expect(await opened.committer.earlier({ key, fingerprint: null })).to.equal(undefined);
      expect(await commit([stored(1)], { key })).to.have.property('kind', 'committed');
    });

    it('keeps a key for 24 hours and over a restart', async () => {
      await commit([stored(1)], { key });
      opened = await opened.restart();
      await pass(24 * HOUR_MS - MINUTE_MS);
      expect(await commit([stored(1)], { key })).to.have.property('kind', 'repeated');
      await pass(2 * MINUTE_MS);
      expect(await opened.committer.earlier({ key, fingerprint: null })).to.equal(undefined);
      expect(await commit([stored(2)], { key })).to.have.property('kind', 'committed');
    });

    it('does not match a fingerprint while its process will still answer', async () => {
      await commit([stored(1)], { fingerprint });
      expect(await opened.committer.earlier({ key: null, fingerprint })).to.equal(undefined);
    });

    it('matches an unanswered fingerprint of a dead process for 60 s', async () => {
      const first = await commit([stored(1)], { fingerprint });
      opened = await opened.restart();
      await pass(50 * SECOND_MS);
      expect(await opened.committer.earlier({ key: null, fingerprint })).to.deep.equal({ ...first, kind: 'repeated' });
      expect(await opened.committer.earlier({ key: null, fingerprint: 'e'.repeat(64) })).to.equal(undefined);
      await pass(11 * SECOND_MS);
      expect(await opened.committer.earlier({ key: null, fingerprint })).to.equal(undefined);
    });

    it('matches the fingerprint of an abandoned request for 60 s', async () => {
      const abandoned = command([stored(1)], { fingerprint });
      const [first] = await opened.committer.commit([abandoned]);
      await pass(50 * SECOND_MS);
      opened.committer.abandoned(abandoned.id);
      expect(await opened.committer.earlier({ key: null, fingerprint })).to.deep.equal({ ...first, kind: 'repeated' });
      await pass(11 * SECOND_MS);
      expect(await opened.committer.earlier({ key: null, fingerprint })).to.equal(undefined);
    });

    it('does not match the fingerprint of an answered request', async () => {
      const answered = command([stored(1)], { fingerprint });
      await opened.committer.commit([answered]);
      opened.committer.answered(answered.id);
      await commit([stored(2)]);
      opened = await opened.restart();
      expect(await opened.committer.earlier({ key: null, fingerprint })).to.equal(undefined);
    });

    if (adapter.features.steps.includes('after_commit')) {
      it('finds a commit with an unknown outcome by key and fingerprint', async () => {
        failpoints.broken.add('after_commit');
        const error = await rejection(commit([stored(1)], { key, fingerprint }));
        expect(error).to.be.instanceOf(DependencyError).and.to.include({ outcomeUnknown: true });
        failpoints.broken.clear();
        expect(await opened.committer.earlier({ key, fingerprint: null })).to.have.nested.property(
          'events[0].id',
          stored(1).id,
        );
        expect(await opened.committer.earlier({ key: null, fingerprint })).to.have.nested.property(
          'events[0].id',
          stored(1).id,
        );
        expect(await commit([stored(1)], { key })).to.have.property('kind', 'repeated');
        expect(await count()).to.equal(1);
      });
    }
  });
}
