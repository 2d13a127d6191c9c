/** SIGKILL and restart of each real server in mid-traffic, and a server that hangs. */
import { expect } from 'chai';
import { killServer, startServer } from '../../support/local-servers.js';
import { until } from '../../support/until.js';
import { survives, type Stage } from './stage.js';

const SERVERS = ['postgres', 'neo4j', 'kafka', 'qdrant'] as const;
/** What health calls the stores that it pings. */
const LINKS = { neo4j: 'neo4j', qdrant: 'qdrant' } as const;

export function serverFaults(stage: () => Stage): void {
  for (const name of SERVERS) {
    it(`loses nothing when ${name} is killed in mid-traffic and comes back`, async function () {
      this.timeout(300_000);
      const { fleet } = stage();
      await survives(stage(), async () => {
        await killServer(name);
        if (name === 'neo4j' || name === 'qdrant') {
          const link = LINKS[name];
          await until(`health says that ${name} is away`, async () => (await fleet.request('GET', '/health')).body[link] === 'disconnected', 20_000);
        }
        await recallDegradesAsPromised(stage(), name);
        await startServer(name);
      });
      const { body } = await fleet.request('GET', '/health');
      expect(body).to.include({ neo4j: 'connected', qdrant: 'connected', status: 'healthy' });
    });
  }
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
