/** Contract of recording consolidation, on every committer. */
import { expect } from 'chai';
import { createRecordConsolidation } from '../../../command-api/consolidation/record-consolidation.js';
import {
  CONSOLIDATION_COMMANDS_LIMIT,
  type ConsolidationCommand,
  type RecordConsolidation,
  type RelevanceChange,
} from '../../../shared/contract/consolidation/commands.js';
import type { EntityKey as Key } from '../../../shared/contract/entities/entity.js';
import { randomIds, systemClock } from '../../../shared/kernel/clock.js';
import { ValidationError } from '../../../shared/kernel/errors.js';
import { command, COMMITTER_ADAPTERS, type OpenCommitter } from '../../support/adapters/committers.js';
import { rejection } from '../../support/checks/rejection.js';
import { entityRecord, newEntityEvent } from '../../support/fixtures/entity-events.js';
import { deleted, numberedId, stored } from '../../support/fixtures/events.js';

const CONDITIONS = {
  clock: systemClock,
  failpoints: { hit: () => undefined },
  publisher: { append: () => Promise.resolve() },
};
const META = numberedId(50);

const relevance = (number: number, expectedVersion = 1): RelevanceChange => ({
  kind: 'relevance',
  id: numberedId(number),
  expectedVersion,
  relevance: 0.4,
  reason: 'It is older',
});
const archive = (number: number, expectedVersion = 1): ConsolidationCommand => ({
  ...relevance(number, expectedVersion),
  kind: 'archive',
  relevance: 0.1,
});
const discovery = (source: number, target: number): ConsolidationCommand => ({
  kind: 'discovery',
  source: numberedId(source),
  target: numberedId(target),
  strength: 0.6,
  properties: { kind: 'explains', origin: 'consolidation' },
  reason: 'They are similar',
});
const cluster = (
  members: readonly number[],
  expectedVersion: number,
  { quotes = [] }: { readonly quotes?: readonly number[] } = {},
): ConsolidationCommand => ({
  kind: 'cluster',
  id: META,
  expectedVersion,
  reason: 'They are similar',
  content: `Meta-pattern: ${members.length} similar memories`,
  metadata: { origin: 'consolidation', members_digest: members.join() },
  members: members.map(numberedId),
  derivedFrom: quotes.map(numberedId),
});
const identity = (expectedVersion: number, quotes: readonly number[]): ConsolidationCommand => ({
  kind: 'identity',
  entity: { category: 'tools', slug: 'harbour' },
  expectedVersion,
  identity: `What ${quotes.length} memories say`,
  sources: quotes.length,
  derivedFrom: quotes.map(numberedId),
  reason: 'Its memories changed',
});

for (const adapter of COMMITTER_ADAPTERS) {
  describe(`consolidation: ${adapter.name}`, () => {
    let open: OpenCommitter;
    let record: RecordConsolidation;
    beforeEach(async () => {
      open = await adapter.open(CONDITIONS);
      record = createRecordConsolidation({ ...open, clock: systemClock, ids: randomIds });
      await open.committer.commit([1, 2, 3].map((number) => command([stored(number)])));
    });
    afterEach(() => open.close());

    const loaded = async (id: string) =>
      (await open.graph.memories([numberedId(1), META, numberedId(2)])).find((one) => one.memory.id === id);
    const typesAfter = async (after: number) =>
      (await open.journal.read({ after, limit: 100 })).map(({ type }) => type);
    const summarized = async () =>
      (
        (await open.graph.relations({ ids: [META], direction: 'outgoing', types: ['SUMMARIZES'], limit: 100 })).get(
          META,
        ) ?? []
      )
        .map(({ memory }) => memory.id)
        .sort();

    it('answers each command by itself, and repeats nothing', async () => {
      await open.committer.commit([command([deleted(3, 2)])]);
      const commands = [relevance(1), archive(2, 7), relevance(3), relevance(9), discovery(1, 2), discovery(1, 3)];
      expect(await record(commands)).to.deep.equal(['done', 'outdated', 'absent', 'absent', 'done', 'absent']);
      const after = await open.journal.head();
      expect(await record([relevance(1), relevance(1, 2), discovery(1, 2)])).to.deep.equal([
        'outdated',
        'unchanged',
        'unchanged',
      ]);
      expect(await typesAfter(after)).to.deep.equal([]);
    });

    it('archives with time, relevance and reason, and keeps the revision', async () => {
      expect(await record([archive(1)])).to.deep.equal(['done']);
      const one = await loaded(numberedId(1));
      expect(one).to.include({ version: 2, revision: 1 });
      expect(one?.memory).to.include({ archived: true, relevance_score: 0.1 });
      expect(one?.memory.archived_at).to.be.a('string');
      const [event] = (await open.journal.read({ after: 0, limit: 100 })).slice(-1);
      expect(event).to.deep.include({ type: 'memory.archived' });
      expect(event?.actor).to.deep.equal({ name: 'consolidator', tier: 'internal', agent: null });
      expect(event?.data).to.include({ reason: 'It is older' });
      expect(await record([archive(1, 2)])).to.deep.equal(['unchanged']);
    });

    it('makes a meta memory, changes it, makes it again after a deletion', async () => {
      const before = await open.journal.head();
      expect(await record([cluster([1, 2], 0)])).to.deep.equal(['done']);
      expect(await typesAfter(before)).to.deep.equal(['memory.stored', 'memory.cluster.changed']);
      expect(await summarized()).to.deep.equal([numberedId(1), numberedId(2)]);
      expect(await record([cluster([1, 2], 2)])).to.deep.equal(['unchanged']);
      expect(await record([cluster([1, 2, 3], 2)])).to.deep.equal(['done']);
      expect(await summarized()).to.deep.equal([numberedId(1), numberedId(2), numberedId(3)]);
      await open.committer.commit([command([deleted(50, 4)])]);
      expect(await record([cluster([1, 2], 0)])).to.deep.equal(['done']);
      expect((await loaded(META))?.version).to.equal(6);
      expect(await summarized()).to.deep.equal([numberedId(1), numberedId(2)]);
    });

    it('brings an archived meta memory back when its cluster is back', async () => {
      await record([cluster([1, 2], 0)]);
      expect(await record([archive(50, 2)])).to.deep.equal(['done']);
      expect(await record([cluster([1, 2], 3)])).to.deep.equal(['done']);
      expect((await loaded(META))?.memory.archived).to.equal(undefined);
    });

    it('quotes no deleted memory', async () => {
      await open.committer.commit([command([deleted(2, 2)])]);
      const texts = (versions: { cluster: number; identity: number }, quotes: readonly number[]) =>
        record([cluster(quotes, versions.cluster, { quotes }), identity(versions.identity, quotes)]);
      const [first, later] = [
        { cluster: 0, identity: 0 },
        { cluster: 2, identity: 1 },
      ];
      const before = await open.journal.head();
      expect(await texts(first, [1, 2])).to.deep.equal(['absent', 'absent']);
      expect(await typesAfter(before)).to.deep.equal([]);
      expect(await texts(first, [1, 3])).to.deep.equal(['done', 'done']);
      await open.committer.commit([command([deleted(3, 2)])]);
      const after = await open.journal.head();
      expect(await texts(later, [3])).to.deep.equal(['absent', 'absent']);
      expect(await typesAfter(after)).to.deep.equal([]);
      expect(await texts(later, [1])).to.deep.equal(['done', 'done']);
    });

    it('respects the undo of a merge', async () => {
      const [ann, lee, li] = ['ann', 'lee', 'li'].map((slug) => ({ category: 'people', slug })) as [Key, Key, Key];
      const apart = entityRecord('people', 'ann', { distinct_from: [{ ...lee, at: '2026-06-02T00:00:00+00:00' }] });
      const around = entityRecord('people', 'li', { aliases: ['lee'] });
      const tagged = stored(4, { tags: ['entity:people:ann'] });
      await open.committer.commit([
        command([tagged]),
        ...[apart, around].map((one) => command([newEntityEvent(one, 1)])),
      ]);
      const merge = (source: Key, target: Key) =>
        ({ kind: 'merge', source, target, reason: 'They are alike' }) as const;
      const before = await open.journal.head();
      expect(
        await record([
          merge(ann, lee),
          merge(lee, ann),
          merge(ann, li),
          { ...merge(ann, lee), kind: 'move', id: numberedId(4), expectedVersion: 1 },
        ]),
      ).to.deep.equal(['unchanged', 'unchanged', 'unchanged', 'outdated']);
      expect(await typesAfter(before)).to.deep.equal([]);
      expect(await record([merge(ann, { category: 'people', slug: 'anna' })])).to.deep.equal(['done']);
      const anna = { category: 'people', slug: 'anna' };
      expect(await record([merge(anna, lee)]), 'what was merged into it').to.deep.equal(['unchanged']);
    });

    it('refuses too many commands', async () => {
      const many = Array.from({ length: CONSOLIDATION_COMMANDS_LIMIT + 1 }, () => relevance(1));
      expect(await rejection(record(many))).to.be.instanceOf(ValidationError);
    });
  });
}
