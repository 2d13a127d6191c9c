/**
 * The dead letters of the commit: an event that the graph can never apply holds nothing else back, and a redrive
 * applies it.
 */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import type { CommitGraph } from '../../../shared/engines/postgres/commit/graph-guard.js';
import { createPostgresJournal } from '../../../shared/engines/postgres/journal/postgres-journal.js';
import { createPostgresOutboxReader } from '../../../shared/engines/postgres/outbox/postgres-outbox-reader.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { readGauges } from '../../../shared/journal/read-gauges.js';
import { ConflictError, DependencyError } from '../../../shared/kernel/errors.js';
import { createPrometheusMetrics } from '../../../shared/kernel/metrics/prometheus-metrics.js';
import type { DeadLetter, DeadLetters } from '../../../shared/ports/journal.js';
import type { OutboxReader } from '../../../shared/ports/outbox.js';
import { command } from '../../support/adapters/committers.js';
import { OUTBOX_GRAPHS } from '../../support/adapters/graphs.js';
import {
  commitGraph,
  openOutboxSetup,
  type OutboxProcess,
  type OutboxSetup,
} from '../../support/adapters/outbox-setup.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { associated, numberedId, stored, updated } from '../../support/fixtures/events.js';
import { expectAlerts } from '../../support/observability/expect-alerts.js';
import { recordFigures } from '../../support/observability/figure-record.js';

const POISON = numberedId(1);
const KEY = { key: 'a'.repeat(64), requestHash: 'b'.repeat(64) };
const QUICK = { maxAttempts: 3, retryMinimumMs: 20, retryMaximumMs: 50 };

for (const adapter of OUTBOX_GRAPHS) {
  describe(`dead letters of the commit: ${adapter.name}`, () => {
    let setup: OutboxSetup;
    let letters: DeadLetters;
    let outbox: OutboxReader;
    let failure: Error | null;
    let attempts: number;
    beforeEach(async () => {
      setup = await openOutboxSetup(adapter);
      letters = postgresRecords(setup.temporary.postgres).deadLetters;
      outbox = createPostgresOutboxReader({ postgres: setup.temporary.postgres });
      failure = new DependencyError('graph', 'timed out', { isReachable: true });
      attempts = 0;
    });
    afterEach(() => setup.close());

    /** A graph that fails with `failure` for every event of memory 1. */
    function failing(): CommitGraph {
      const { apply, ping } = commitGraph(setup.graph);
      return {
        ping,
        apply: async (events) => {
          if (failure && events.some(({ subject }) => subject === POISON)) {
            attempts += 1;
            throw failure;
          }
          await apply(events);
        },
      };
    }

    const letter = (): Promise<DeadLetter> =>
      until('the event is a dead letter', async () => (await letters.list({ afterId: 0, limit: 10 }))[0]);

    async function bury(): Promise<OutboxProcess & { readonly found: DeadLetter }> {
      const process = setup.start({ graph: failing(), config: QUICK });
      await rejection(process.committer.commit([command([stored(1)], { key: KEY })]));
      return { ...process, found: await letter() };
    }

    it('buries an event after its last attempt and counts it apart', async () => {
      const { committer, found } = await bury();
      expect(attempts).to.equal(3);
      expect(found).to.deep.include({
        projector: 'commit',
        subject: POISON,
        type: 'memory.stored',
        version: 1,
        position: 1,
        attempts: 3,
        reason: 'timed out',
      });
      expect(await committer.pending()).to.equal(0);
      const { oldestDeadMs, ...depth } = await outbox.depth();
      expect(depth).to.deep.equal({ pending: 0, applied: 0, oldestMs: 0, dead: 1 });
      expect(oldestDeadMs).to.be.above(0);
    });

    it('fires the alert of dead commits', async function () {
      const { postgres } = setup.temporary;
      const journal = createPostgresJournal({ postgres });
      const { projectorStates, webhooks } = postgresRecords(postgres);
      const metrics = createPrometheusMetrics({ service: 'relay', version: '1' });
      metrics.report(() => readGauges({ journal, projectorStates, deadLetters: letters, webhooks, outbox }));
      const figures = recordFigures(() => [{ instance: 'relay', read: () => metrics.text() }]);
      await figures.before();
      await bury();
      for (let count = 0; count < 2; count += 1) await figures.during();
      await expectAlerts(this, figures, ['PalimpsestCommitsDead']);
    });

    it('buries an event about which a reachable graph never answers', async () => {
      failure = new DependencyError('graph', 'no answer', { outcomeUnknown: true });
      const { found } = await bury();
      expect(found).to.include({ subject: POISON, attempts: 3 });
    });

    it('holds back no position and no other key', async () => {
      const published: RecordedEvent[] = [];
      setup.startRelay({ append: async (events) => void published.push(...events) });
      const { committer } = await bury();
      await committer.commit([command([stored(2)]), command([associated(1, 2)])]);
      await committer.commit([command([stored(3)])]);
      await until('the relay publishes the other keys', () => published.length === 2);
      expect(published.map(({ position }) => position)).to.deep.equal([2, 4]);
      await until('the position passes the dead letter', async () => (await outbox.publishedThrough()).position === 4);
      expect(await outbox.unapplied([1, 2, 3, 4])).to.deep.equal(new Set([1]));
    });

    it('applies a redriven event, then publishes its key in order', async () => {
      const published: RecordedEvent[] = [];
      setup.startRelay({ append: async (events) => void published.push(...events) });
      const { committer, found } = await bury();
      await committer.commit([command([stored(2)]), command([associated(1, 2)])]);
      failure = null;
      await letters.requestRedrive([found.id]);
      await until('the relay publishes everything', () => published.length === 3);
      const ofKey = published.filter(({ partitionKey }) => partitionKey === POISON);
      expect(ofKey.map(({ position }) => position)).to.deep.equal([1, 3]);
      expect((await setup.graph.reader.memories([numberedId(1)]))[0]?.version).to.equal(1);
      expect(await letters.count()).to.equal(0);
      expect((await committer.commit([command([updated(1, 2)])]))[0]?.kind).to.equal('committed');
      expect(await committer.earlier({ key: KEY, fingerprint: null })).to.have.property('kind', 'repeated');
    });

    it('keeps a letter whose redrive fails and counts the attempt', async () => {
      const { found } = await bury();
      await letters.requestRedrive([found.id]);
      const again = await until('the redrive failed', async () => {
        const [current] = await letters.get([found.id]);
        return current && !current.awaitsRedrive && current.attempts === 4 ? current : undefined;
      });
      expect(again.position).to.equal(1);
    });

    it('refuses its subject and repeats with 409', async () => {
      const { committer, found } = await bury();
      const refusals = [
        await rejection(committer.commit([command([updated(1, 3)])])),
        await rejection(committer.commit([command([stored(1)], { key: KEY })])),
        await rejection(committer.earlier({ key: KEY, fingerprint: null })),
      ];
      for (const refusal of refusals) {
        expect(refusal).to.be.instanceOf(ConflictError);
        expect(refusal.message).to.contain(`dead letter ${found.id} of 'commit'`);
      }
      expect((await committer.commit([command([stored(2)])]))[0]?.kind).to.equal('committed');
    });

    it('refuses its subject with 503 between attempts', async () => {
      const { committer } = setup.start({
        graph: failing(),
        config: { ...QUICK, retryMinimumMs: 60_000, retryMaximumMs: 60_000 },
      });
      await rejection(committer.commit([command([stored(1)])]));
      expect(await rejection(committer.commit([command([updated(1, 3)])])))
        .to.be.instanceOf(DependencyError)
        .and.include({ dependency: 'graph', outcomeUnknown: false, retryAfterSeconds: 2 });
      expect(attempts, 'the refused command did not try the event again').to.equal(1);
    });

    it('applies an event whose later attempt succeeds', async () => {
      const { committer } = setup.start({ graph: failing(), config: { ...QUICK, maxAttempts: 100 } });
      await rejection(committer.commit([command([stored(1)])]));
      await until('some attempts failed', () => attempts > 3);
      failure = null;
      await until('nothing is pending', async () => (await committer.pending()) === 0);
      expect(await setup.graph.reader.memories([numberedId(1)])).to.have.length(1);
      expect(await letters.count()).to.equal(0);
    });

    it('counts no attempt while the graph is down', async () => {
      let pings = 0;
      const down = new DependencyError('graph', 'no connection');
      const ping = async (): Promise<void> => {
        pings += 1;
        throw down;
      };
      const { committer } = setup.start({
        graph: { apply: () => Promise.reject(down), ping },
        config: { ...QUICK, maxAttempts: 1 },
      });
      await rejection(committer.commit([command([stored(1)])]));
      await until('several sweeps failed', () => pings > 2);
      expect([await letters.count(), await committer.pending()]).to.deep.equal([0, 1]);
    });
  });
}
