/**
 * A lagging standby of Postgres is promoted, and our processes continue without a restart: rows whose deletion was lost
 * are found again, and no deletion meets the new events at positions that lost events had.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { createPostgresOutboxReader } from '../../../shared/engines/postgres/outbox/postgres-outbox-reader.js';
import { command } from '../../support/adapters/committers.js';
import { GRAPH_ADAPTERS, type GraphAdapter } from '../../support/adapters/graphs.js';
import { appendToPostgres } from '../../support/adapters/journals.js';
import {
  commitGraph,
  gatedUrl,
  openOutboxSetup,
  openPostgresGate,
  type OutboxSetup,
} from '../../support/adapters/outbox-setup.js';
import { until } from '../../support/checks/until.js';
import type { TcpGate } from '../../support/faults/tcp-gate.js';
import { stored, updated } from '../../support/fixtures/events.js';
import { isServerWanted } from '../../support/servers/servers.js';
import { skipWithoutStandby, type Standby, startStandby } from '../../support/servers/standby-postgres.js';

/** More than the 32 numbers by which a sequence on a standby is ahead, so that positions repeat. */
const LOST = 60;
const NEW = 20;
/** Short, so that the sweeper may claim the rows of a process that is alive. */
const LEASE_MS = 500;

if (isServerWanted('postgres')) {
  describe('outbox after a failover', function () {
    let setup: OutboxSetup;
    let gate: TcpGate;
    let standby: Standby;
    let clients: Postgres[];
    let releases: (() => void)[];
    beforeEach(async function () {
      await skipWithoutStandby(this);
      setup = await openOutboxSetup(GRAPH_ADAPTERS[0] as GraphAdapter);
      gate = await openPostgresGate(setup.temporary);
      clients = [];
      releases = [];
      standby = await startStandby();
    });
    afterEach(async () => {
      for (const release of releases ?? []) release();
      for (const client of clients ?? []) await client.close();
      await setup?.close();
      await gate?.close();
      await standby?.remove();
    });

    function openClient(): Postgres {
      const client = setup.temporary.openAnother({ url: gatedUrl(gate, setup.temporary.config.url) });
      clients.push(client);
      return client;
    }

    async function failOver(): Promise<void> {
      await standby.promote();
      gate.switchTo(standby.port);
    }

    const count = async (postgres: Postgres, table: string): Promise<number> =>
      Number((await postgres.query<{ count: string }>(`SELECT count(*) FROM ${table}`)).rows[0]?.count);
    const numbered = (first: number, amount: number): NewEvent[] =>
      Array.from({ length: amount }, (_, index) => stored(first + index));

    type Held = {
      readonly process: ReturnType<OutboxSetup['start']>;
      readonly committing: Promise<unknown>;
      readonly release: () => void;
    };

    /**
     * Commits the events, and resolves when the graph is called, which waits for `release`. A commit that times out on
     * a busy machine is repeated, unless a sweeper has found its rows and calls the graph: a later repetition would
     * take positions from the promoted standby.
     */
    async function commitHeld(events: readonly NewEvent[]): Promise<Held> {
      let wasCalled = false;
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      releases.push(release);
      const graph = commitGraph(setup.graph);
      const apply: typeof graph.apply = async (applied, limits) => {
        wasCalled = true;
        await released;
        return graph.apply(applied, limits);
      };
      const process = setup.start({ gate, graph: { ...graph, apply }, config: { leaseMs: LEASE_MS } });
      const committing = until(
        'the events are committed',
        async () => (await happens(process.committer.commit([command(events)]))) || wasCalled,
      );
      await until('the graph is called', () => wasCalled);
      return { process, committing, release };
    }

    it('sweeps rows that came back, and continues to publish their keys', async () => {
      const published: string[] = [];
      setup.startRelay({ append: async (events) => void published.push(...events.map(({ id }) => id)) }, gate);
      const reader = createPostgresOutboxReader({ postgres: openClient() });
      const { process, committing, release } = await commitHeld(numbered(1, 3));
      await standby.caughtUp();
      await standby.stopReplication();
      release();
      await committing;
      await until('the events are published', () => published.length === 3);
      expect(await process.committer.pending()).to.equal(0);
      expect(await reader.depth()).to.include({ pending: 0, applied: 0 });

      await failOver();
      const shown = await until('Postgres answers', () => reader.depth().catch(() => null));
      const later = updated(1, 2);
      await until('the later event is committed', () => happens(process.committer.commit([command([later])])));
      const promoted = openClient();
      const isSwept = await happens(
        until('no row is pending', async () => (await count(promoted, 'outbox_pending')) === 0),
      );
      const isPublished = await happens(until('the later event is published', () => published.includes(later.id)));
      expect({ shown: shown.pending + shown.applied, isSwept, isPublished }).to.deep.equal({
        shown: 3,
        isSwept: true,
        isPublished: true,
      });
    });

    it('publishes each new event that has the position of a lost one', async () => {
      await appendToPostgres(setup.temporary.postgres, [stored(1)]);
      await standby.caughtUp();
      await standby.stopReplication();
      await appendToPostgres(setup.temporary.postgres, numbered(2, LOST));
      await setup.temporary.postgres.query('DELETE FROM outbox_pending');

      const published: RecordedEvent[] = [];
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const append = async (events: readonly RecordedEvent[]): Promise<void> => {
        published.push(...events);
        await released;
      };
      setup.startRelay({ append }, gate);
      await until('the relay publishes', () => published.length > LOST);
      await failOver();
      const promoted = openClient();
      const made = await until('Postgres answers', () =>
        appendToPostgres(promoted, numbered(101, NEW)).catch(() => null),
      );
      expectRepeatedPositions(made);
      await promoted.query('DELETE FROM outbox_pending');
      release();
      await until('no event waits', async () => (await count(promoted, 'outbox')) === 0);
      const ids = new Set(published.map(({ id }) => id));
      expect(made.filter(({ id }) => !ids.has(id)).map(({ position }) => position)).to.deep.equal([]);
    });

    it('keeps each new event pending that has the position of a lost one', async () => {
      await appendToPostgres(setup.temporary.postgres, [stored(1)]);
      await standby.caughtUp();
      await standby.stopReplication();
      const { process, committing, release } = await commitHeld(numbered(2, LOST));
      await failOver();
      const promoted = openClient();
      const made = await until('Postgres answers', () =>
        appendToPostgres(promoted, numbered(101, NEW)).catch(() => null),
      );
      expectRepeatedPositions(made);
      await giveToLiveOwner(promoted);
      release();
      await committing;
      await process.close();
      const { rows } = await promoted.query<{ position: number }>(
        'SELECT position FROM outbox_pending WHERE position > 1 ORDER BY position',
      );
      expect(rows.map(({ position }) => position)).to.deep.equal(made.map(({ position }) => position));
    });

    /** Makes the rows those of another process that is alive, so that no sweeper claims them. */
    async function giveToLiveOwner(postgres: Postgres): Promise<void> {
      const owner = randomUUID();
      const session = await postgres.session();
      await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [owner]);
      await postgres.query(`UPDATE outbox_pending SET owner = $1, lease_until = now() + interval '1 hour'`, [owner]);
    }

    function happens(work: Promise<unknown>): Promise<boolean> {
      return work.then(
        () => true,
        () => false,
      );
    }

    function expectRepeatedPositions(made: readonly RecordedEvent[]): void {
      const [first, last] = [made[0]?.position ?? 0, made.at(-1)?.position ?? Infinity];
      expect([first > 1, last <= 1 + LOST], `new positions ${first} to ${last}`).to.deep.equal([true, true]);
    }
  });
}
