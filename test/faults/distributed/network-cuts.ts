/**
 * The network between one process and one server is cut: connections are refused, or they are accepted and nothing
 * passes.
 */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { openKafkaGate, openNeo4jGate, openPostgresGate, type ServerGate } from '../../support/faults/server-gates.js';
import type { Fleet, Kind, Member } from '../../support/processes/fleet.js';
import { type FaultSetup, survivesFault } from './fault-checks.js';
import { expectPipelineWorks, probe, READY_MS } from './pipeline-checks.js';

type Pair = {
  readonly kind: Kind;
  readonly server: string;
  readonly openGate: (fleet: Fleet) => Promise<ServerGate>;
  /** Runs while the network is cut. */
  readonly meanwhile?: (cut: Member) => Promise<void>;
};

const PAIRS: readonly Pair[] = [
  { kind: 'relay', server: 'Postgres', openGate: ({ deployment }) => openPostgresGate(deployment.postgresUrl) },
  { kind: 'projectors', server: 'Kafka', openGate: openKafkaGate },
  { kind: 'query-api', server: 'Neo4j', openGate: openNeo4jGate, meanwhile: expectRecallUnavailable },
];

const CUTS = [
  { begin: (gate: ServerGate) => gate.refuse(), end: (gate: ServerGate) => gate.accept() },
  { begin: (gate: ServerGate) => gate.hold(), end: (gate: ServerGate) => gate.release() },
] as const;

export function networkCuts(stage: () => FaultSetup): void {
  for (const pair of PAIRS) {
    describe(`from a ${pair.kind} to ${pair.server}`, () => {
      let gate: ServerGate;
      let cut: Member;
      before(async function () {
        gate = await pair.openGate(stage().fleet);
        cut = await addCutMember(stage(), pair, gate);
      });
      after(async () => {
        await cut?.stop('SIGTERM');
        await gate?.close();
      });

      it('refuses and hangs, the others do its work', async () => {
        await survivesFault(stage(), async () => {
          for (const { begin, end } of CUTS) {
            await begin(gate);
            try {
              expect(await probe(cut, '/livez')).to.equal(200);
              expect(await probe(cut, '/readyz')).to.equal(503);
              await pair.meanwhile?.(cut);
              await expectPipelineWorks(stage());
            } finally {
              await end(gate);
            }
            await until('the process is ready again', async () => (await probe(cut, '/readyz')) === 200, READY_MS);
          }
        });
        expect(cut.isRunning(), cut.output()).to.equal(true);
      });
    });
  }
}

/**
 * Starts the member behind the gate before the other one, so that it holds the lease, or partitions, when the network
 * is cut.
 */
async function addCutMember({ fleet }: FaultSetup, { kind }: Pair, gate: ServerGate): Promise<Member> {
  const others = kind === 'query-api' ? [] : fleet.members(kind);
  await Promise.all(others.map((member) => member.stop('SIGTERM')));
  const cut = await fleet.add(kind, { variables: gate.variables });
  for (const { port } of others) await fleet.add(kind, { port });
  return cut;
}

async function expectRecallUnavailable({ url }: Member): Promise<void> {
  const health = (await (await fetch(`${url}/health`)).json()) as Record<string, unknown>;
  expect(health).to.include({ status: 'degraded', neo4j: 'disconnected', qdrant: 'connected', journal: 'connected' });
  expect(await probe({ url }, '/recall?query=ledger+entry&limit=5')).to.equal(503);
}
