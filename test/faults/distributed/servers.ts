/** SIGKILL and restart of each real server in mid-traffic, and a server that hangs. */
import { expect } from 'chai';
import { setTimeout as elapse } from 'node:timers/promises';
import { killServer, pauseServer, resumeServer, startServer } from '../../support/local-servers.js';
import { until } from '../../support/until.js';
import { survives, type Stage } from './stage.js';

const SERVERS = ['postgres', 'neo4j', 'kafka', 'qdrant'] as const;
/** Those that the command API waits for. */
const AWAITED = ['postgres', 'neo4j'] as const;
/** Longer than any call of the fleet to them. */
const HANG_MS = 8_000;
/** What health calls those that it asks. Kafka it does not ask: what waits for it is told as the depth of the outbox. */
const LINKS = { postgres: 'journal', neo4j: 'neo4j', qdrant: 'qdrant' } as const;

export function serverFaults(stage: () => Stage): void {
  for (const name of SERVERS) {
    it(`loses nothing when ${name} is killed in mid-traffic and comes back`, async function () {
      this.timeout(300_000);
      const { fleet } = stage();
      await survives(
        stage(),
        async () => {
          await killServer(name);
          await healthTells(stage(), name);
          await recallDegradesAsPromised(stage(), name);
          await startServer(name);
        },
        { isRecallPromised: name !== 'neo4j' },
      );
      await until(
        'health says that all is well',
        async () => {
          const { body } = await fleet.request('GET', '/health');
          return (
            body.neo4j === 'connected' &&
            body.qdrant === 'connected' &&
            body.journal === 'connected' &&
            body.status === 'healthy'
          );
        },
        30_000,
      );
    });
  }
  hangs(stage);
}

function hangs(stage: () => Stage): void {
  for (const name of AWAITED) {
    it(`loses nothing when ${name} accepts and does not answer for a while`, async function () {
      this.timeout(300_000);
      await survives(
        stage(),
        async () => {
          await pauseServer(name);
          await elapse(HANG_MS);
          await resumeServer(name);
        },
        { isRecallPromised: name !== 'neo4j' },
      );
    });
  }
}

async function healthTells({ fleet }: Stage, name: (typeof SERVERS)[number]): Promise<void> {
  await until(
    `health says that ${name} is away`,
    async () => {
      const { status, body } = await fleet.request('GET', '/health');
      expect(status).to.equal(200);
      return name === 'kafka'
        ? body.outbox.applied > 0 && body.in_flight > 0
        : body[LINKS[name]] === 'disconnected' && body.status === 'degraded';
    },
    20_000,
  );
}

/** Recall stands on the graph alone: without vectors, Kafka or the journal it still answers, and without the graph it says so. */
async function recallDegradesAsPromised({ fleet }: Stage, name: (typeof SERVERS)[number]): Promise<void> {
  const { status, body } = await fleet.request('GET', '/recall?query=ledger+entry&limit=5');
  if (name === 'neo4j') {
    expect(status).to.equal(503);
    return;
  }
  expect(status, JSON.stringify(body)).to.equal(200);
  expect(body.count).to.be.greaterThan(0);
}
