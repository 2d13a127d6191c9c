/**
 * Kills (SIGKILL) and restarts each real server during traffic, and pauses the servers of the commit and Kafka. The
 * alerts that name such a fault fire on the figures of that time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { expectAlerts } from '../../support/observability/expect-alerts.js';
import { type FigureRecord, processesOf, recordFigures } from '../../support/observability/figure-record.js';
import { killServer, pauseServer, resumeServer, startServer } from '../../support/servers/local-servers.js';
import { type FaultSetup, survivesFault } from './fault-checks.js';

const SERVERS = ['postgres', 'neo4j', 'kafka', 'qdrant'] as const;
/** The servers that the command API waits for, and the one that the relay and the projectors wait for. */
const HANGING_SERVERS = ['postgres', 'neo4j', 'kafka'] as const;
/** Longer than any call of the fleet to these servers. */
const HANG_MS = 8_000;
/** The field of each server in the health reply. For Kafka, health reports the depth of the outbox instead. */
const HEALTH_FIELDS = { postgres: 'journal', neo4j: 'neo4j', qdrant: 'qdrant' } as const;
const FROZEN = [
  'PalimpsestProjectorFrozen{projector="vector-indexer"}',
  'PalimpsestProjectorLags{projector="vector-indexer"}',
] as const;
/** The alerts that fire while a server is down. */
const ALERTS = {
  postgres: ['PalimpsestJournalDown', 'PalimpsestWritesRefused', 'PalimpsestRequestsFail'],
  neo4j: ['PalimpsestWritesRefused', 'PalimpsestRequestsFail'],
  kafka: ['PalimpsestOutboxWaits', ...FROZEN],
  qdrant: FROZEN,
} as const;
/** The alerts that fire while a server hangs. Too few requests have failed then for a share of them. */
const HANG_ALERTS = {
  postgres: ['PalimpsestJournalDown', 'PalimpsestWritesRefused'],
  neo4j: ['PalimpsestWritesRefused'],
  kafka: ALERTS.kafka,
} as const;

export function serverFaults(stage: () => FaultSetup): void {
  for (const name of SERVERS) {
    const figures = recordFigures(() => processesOf(stage().fleet));
    it(`loses no command when ${name} is killed and comes back`, async function () {
      this.timeout(300_000);
      const { fleet } = stage();
      await survivesFault(
        stage(),
        async () => {
          await figures.before();
          await killServer(name);
          try {
            await expectHealthReports(stage(), name);
            await figures.during();
            await expectRecallDegrades(stage(), name);
            await recordFault(figures, name);
          } finally {
            await startServer(name); // the tests that follow a failed one need it
          }
        },
        { isRecallPromised: name !== 'neo4j' },
      );
      await until('health is healthy', async () => {
        const { body } = await fleet.request('GET', '/health');
        return (
          body.neo4j === 'connected' &&
          body.qdrant === 'connected' &&
          body.journal === 'connected' &&
          body.status === 'healthy'
        );
      });
    });

    it(`fires the alerts of ${name} while it is down`, async function () {
      await expectAlerts(this, figures, ALERTS[name]);
    });
  }
  serverHangs(stage);
}

function serverHangs(stage: () => FaultSetup): void {
  for (const name of HANGING_SERVERS) {
    const figures = recordFigures(() => processesOf(stage().fleet));
    it(`loses no command while ${name} hangs`, async function () {
      this.timeout(300_000);
      await survivesFault(
        stage(),
        async () => {
          await figures.before();
          await pauseServer(name);
          try {
            await sleep(HANG_MS);
            await recordFault(figures, name);
          } finally {
            await resumeServer(name);
          }
        },
        { isRecallPromised: name !== 'neo4j' },
      );
    });

    it(`fires the alerts of ${name} while it hangs`, async function () {
      await expectAlerts(this, figures, HANG_ALERTS[name]);
    });
  }
}

/** Those that the alert counts, and every kind: no writer may have a store to repeat. */
const REFUSED_COMMANDS = ['storeMemory', 'storeBatch', 'updateMemory', 'deleteMemory', 'deleteByTag', 'associate'].map(
  (operation) => `operation="${operation}",status="503"`,
);

/**
 * Commands wait for Postgres and Neo4j, and are refused. Recalls without the graph are refused, too, so the growth is
 * that of a command.
 */
async function recordFault(figures: FigureRecord, name: (typeof SERVERS)[number]): Promise<void> {
  if (name === 'postgres' || name === 'neo4j') return figures.duringGrowth(...REFUSED_COMMANDS);
  for (let count = 0; count < 2; count += 1) await figures.during();
}

async function expectHealthReports({ fleet }: FaultSetup, name: (typeof SERVERS)[number]): Promise<void> {
  await until(`health reports that ${name} is down`, async () => {
    const { status, body } = await fleet.request('GET', '/health');
    expect(status).to.equal(200);
    return name === 'kafka'
      ? body.outbox.applied > 0 && body.in_flight > 0
      : body[HEALTH_FIELDS[name]] === 'disconnected' && body.status === 'degraded';
  });
}

/**
 * Recall needs only the graph: it answers without vectors, Kafka or the journal, and without the graph it answers 503.
 */
async function expectRecallDegrades({ fleet }: FaultSetup, name: (typeof SERVERS)[number]): Promise<void> {
  const { status, body } = await fleet.request('GET', '/recall?query=ledger+entry&limit=5');
  if (name === 'neo4j') {
    expect(status).to.equal(503);
    return;
  }
  expect(status, JSON.stringify(body)).to.equal(200);
  expect(body.count).to.be.greaterThan(0);
}
