/** Contract of recording enrichments, on every committer. */
import { expect } from 'chai';
import { createRecordEnrichments } from '../../../command-api/enrichment/record-enrichments.js';
import {
  ENRICHMENT_COMMANDS_LIMIT,
  type EnrichmentCommand,
  type RecordEnrichments,
} from '../../../shared/contract/enrichment.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { randomIds, systemClock } from '../../../shared/kernel/clock.js';
import { ValidationError } from '../../../shared/kernel/errors.js';
import { command, COMMITTER_ADAPTERS, type OpenCommitter } from '../../support/adapters/committers.js';
import { rejection } from '../../support/checks/rejection.js';
import { deleted, numberedId, stored, updated } from '../../support/fixtures/events.js';

const CONDITIONS = {
  clock: systemClock,
  failpoints: { hit: () => undefined },
  publisher: { append: () => Promise.resolve() },
};

function enriched(number: number, expectedVersion = 1): EnrichmentCommand {
  return {
    kind: 'enriched',
    id: numberedId(number),
    expectedVersion,
    causationId: `cause-${number}`,
    entities: { tools: ['Redis'] },
    summary: null,
    derived: [{ target: numberedId(9), type: 'SIMILAR_TO', strength: 0.9, properties: { score: 0.9 } }],
    findings: {},
  };
}
const failed = (number: number, expectedVersion = 1): EnrichmentCommand => ({
  kind: 'failed',
  id: numberedId(number),
  expectedVersion,
  causationId: 'cause',
  attempts: 3,
  error: 'no answer',
});
const pattern = (number: number, expectedVersion: number, content = 'Deploys on Friday'): EnrichmentCommand => ({
  kind: 'pattern',
  id: numberedId(number),
  expectedVersion,
  causationId: 'cause',
  content,
  confidence: 0.4,
  metadata: { observations: 3 },
});

for (const adapter of COMMITTER_ADAPTERS) {
  describe(`enrichments: ${adapter.name}`, () => {
    let open: OpenCommitter;
    let record: RecordEnrichments;
    beforeEach(async () => {
      open = await adapter.open(CONDITIONS);
      record = createRecordEnrichments({ ...open, clock: systemClock, ids: randomIds });
      await open.committer.commit([1, 2, 3, 9].map((number) => command([stored(number)])));
    });
    afterEach(() => open.close());

    const loaded = async (number: number) => (await open.graph.memories([numberedId(number)]))[0];
    const last = async (): Promise<RecordedEvent | undefined> =>
      (await open.journal.read({ after: 0, limit: 100 })).at(-1);

    it('answers each command by itself and commits the valid ones', async () => {
      await open.committer.commit([command([updated(2, 2)]), command([deleted(3, 2)])]);
      expect(await record([enriched(1), enriched(2), enriched(3), failed(2, 2), enriched(7)])).to.deep.equal([
        'done',
        'outdated',
        'absent',
        'done',
        'absent',
      ]);
      expect([(await loaded(1))?.memory.enriched, (await loaded(1))?.version]).to.deep.equal([true, 2]);
      expect([(await loaded(2))?.memory.enriched, (await loaded(2))?.version]).to.deep.equal([false, 3]);
    });

    it('applies derived associations and journals actor and cause', async () => {
      await record([enriched(1)]);
      const relations = await open.graph.relations({ ids: [numberedId(1)], direction: 'outgoing', limit: 5 });
      expect(relations.get(numberedId(1))?.map(({ type, memory: { id } }) => [type, id])).to.deep.equal([
        ['SIMILAR_TO', numberedId(9)],
      ]);
      const event = await last();
      expect(event).to.deep.include({ type: 'memory.enriched', version: 2, revision: 1, causationId: 'cause-1' });
      expect(event?.actor).to.deep.equal({ name: 'enricher', tier: 'internal', agent: null });
    });

    it('records the first of two commands for one version', async () => {
      expect(await record([enriched(1), failed(1)])).to.deep.equal(['done', 'outdated']);
    });

    it('reports a repeated command as outdated', async () => {
      await record([enriched(1)]);
      expect(await record([enriched(1)])).to.deep.equal(['outdated']);
      expect((await loaded(1))?.version).to.equal(2);
    });

    it('stores a pattern once, and updates it when its content changes', async () => {
      expect(await record([pattern(20, 0), pattern(20, 0)])).to.deep.equal(['done', 'outdated']);
      expect((await loaded(20))?.memory).to.include({
        type: 'MetaPattern',
        content: 'Deploys on Friday',
        enriched: true,
        processed: true,
      });
      expect(await record([pattern(20, 1)])).to.deep.equal(['done']);
      expect((await loaded(20))?.version).to.equal(1);
      expect(await record([pattern(20, 1, 'Deploys on Monday')])).to.deep.equal(['done']);
      expect([(await loaded(20))?.version, (await loaded(20))?.revision]).to.deep.equal([2, 1]);
    });

    it('restores a deleted pattern as its next version', async () => {
      await record([pattern(20, 0)]);
      await open.committer.commit([command([deleted(20, 2)])]);
      expect(await record([pattern(20, 1), pattern(20, 0, 'Deploys on Monday'), pattern(20, 0)])).to.deep.equal([
        'absent',
        'done',
        'outdated',
      ]);
      expect((await last())?.version).to.equal(3);
      const restored = await loaded(20);
      expect(restored).to.include({ version: 3, revision: 3 });
      expect(restored?.memory).to.include({ type: 'MetaPattern', content: 'Deploys on Monday' });
      expect(await record([pattern(20, 3, 'Deploys on Friday')])).to.deep.equal(['done']);
    });

    it('quotes no deleted memory in a pattern', async () => {
      const quoting = (number: number, expectedVersion: number, quotes: readonly number[]) => ({
        ...pattern(number, expectedVersion, `Said ${quotes.length} times`),
        derivedFrom: quotes.map(numberedId),
      });
      expect(await record([quoting(20, 0, [1, 2, 3])])).to.deep.equal(['done']);
      await open.committer.commit([command([deleted(3, 2)])]);
      const before = await last();
      expect(await record([quoting(20, 1, [2, 3]), quoting(21, 0, [3])])).to.deep.equal(['absent', 'absent']);
      expect(await last()).to.deep.equal(before);
      expect(await record([quoting(20, 1, [1, 2])])).to.deep.equal(['done']);
    });

    it('does not restore an enriched memory', async () => {
      await open.committer.commit([command([deleted(1, 2)])]);
      expect(await record([enriched(1, 2), enriched(1, 0), failed(1, 2)])).to.deep.equal([
        'absent',
        'absent',
        'absent',
      ]);
    });

    it('accepts the maximum of commands and refuses one more', async () => {
      const many = (count: number): EnrichmentCommand[] =>
        Array.from({ length: count }, (_, index) => pattern(100 + index, 0));
      expect(await rejection(record(many(ENRICHMENT_COMMANDS_LIMIT + 1)))).to.be.instanceOf(ValidationError);
      expect(new Set(await record(many(ENRICHMENT_COMMANDS_LIMIT)))).to.deep.equal(new Set(['done']));
    });

    it('erases the data of an enriched memory with the memory', async () => {
      await record([enriched(1), enriched(2)]);
      await open.committer.commit([command([deleted(1, 3)])]);
      const events = (await open.journal.read({ after: 0, limit: 100 })).filter(
        ({ subject }) => subject === numberedId(1),
      );
      expect(events.map(({ type, data }) => [type, data === null])).to.deep.equal([
        ['memory.stored', true],
        ['memory.enriched', true],
        ['memory.deleted', false],
      ]);
      expect((await open.graph.counts({ excludedTypes: [] })).associations).to.equal(1);
    });
  });
}
