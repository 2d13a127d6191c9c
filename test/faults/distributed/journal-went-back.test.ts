/**
 * A failover of Postgres to an asynchronous standby that lacks acknowledged events, while the service runs. The first
 * command is refused, the mark of the index stands still, `/health` and `verify` say what is lost, and after the loss
 * is accepted all stores are equal.
 */
import { expect } from 'chai';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';
import { createQdrantIndexMark } from '../../../shared/engines/qdrant/qdrant-index-mark.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { differencesOfFleet } from '../../support/checks/compare-deployment.js';
import { positionIn } from '../../support/checks/position-in.js';
import { until } from '../../support/checks/until.js';
import { openTcpGate, type TcpGate } from '../../support/faults/tcp-gate.js';
import { type Fleet, type Kind, logTail, MAINS, startFleet } from '../../support/processes/fleet.js';
import { runPalimpsest } from '../../support/processes/run-palimpsest.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { serverAddress } from '../../support/servers/servers.js';
import { skipWithoutStandby, type Standby, startStandby } from '../../support/servers/standby-postgres.js';
import { failuresOf } from './fault-checks.js';
import { FLEET_VARIABLES, WITHOUT_ENRICHER } from './fleet-variables.js';

const KINDS = Object.keys(MAINS) as readonly Kind[];
const FAILOVER_MS = 60_000;

describe('failover to a Postgres that lags', function () {
  this.timeout(240_000);
  const kept: string[] = [];
  const lost: string[] = [];
  let receipt = '';
  let gate: TcpGate;
  let standby: Standby;
  let fleet: Fleet;
  let remove: () => Promise<void>;

  before(async function () {
    await skipWithoutStandby(this);
    const primary = new URL(serverAddress('postgres'));
    gate = await openTcpGate({ host: primary.hostname, port: Number(primary.port) });
    const gated = new URL(primary);
    gated.port = String(gate.port);
    const opened = await openTestDeployment({ postgresUrl: gated.href });
    remove = opened.remove;
    standby = await startStandby();
    fleet = await startFleet(opened.deployment, { variables: { ...FLEET_VARIABLES, ...WITHOUT_ENRICHER } });
  });
  after(async function () {
    await fleet?.close();
    gate?.switchTo(Number(new URL(serverAddress('postgres')).port));
    await remove?.();
    await gate?.close();
    await standby?.remove();
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') process.stdout.write(logTail(fleet));
  });

  const store = (content: string) => fleet.request('POST', '/memory', { body: { content, type: 'Context' } });
  async function stored(content: string): Promise<string> {
    const { status, headers, body } = await store(content);
    expect(status, `${JSON.stringify(body)}\n${failuresOf(fleet, 'command-api')}`).to.equal(201);
    receipt = headers.get(RECEIPT_HEADER) ?? '';
    return body.memory_id;
  }
  async function indexMark() {
    const mark = await createQdrantIndexMark({ config: qdrantConfig(fleet.deployment.variables), number: 1 }).read();
    if (mark === null) throw new Error('The index has no mark');
    return mark;
  }
  const palimpsest = (...line: readonly string[]) =>
    runPalimpsest(line, { variables: { ...fleet.deployment.variables, LOG_LEVEL: 'warn' } });
  const contentOf = async (id: string) => (await fleet.request('GET', `/memory/${id}`)).body?.memory?.content;

  it('accepts no command after it, and names what was lost', async () => {
    for (let number = 0; number < 5; number += 1) kept.push(await stored(`Kept ${number}`));
    await fleet.settled();
    await standby.caughtUp();
    await standby.stopReplication();
    const keptThrough = positionIn(receipt);
    // Indexers move the mark once a second, so it has a lost event after some.
    await until('the mark of the index has a lost event', async () => {
      lost.push(await stored(`Lost ${lost.length}`));
      await fleet.settled();
      return (await indexMark()).position > keptThrough;
    });
    const changed = await fleet.request('PATCH', `/memory/${kept[0]}`, { body: { content: 'Changed later' } });
    expect(changed.status).to.equal(200);
    await fleet.settled();
    const mark = await indexMark();
    await standby.promote();
    gate.switchTo(standby.port);

    const refusal = await until(
      'the loss is noticed',
      async () => {
        const { status, body } = await store('Written after the failover');
        expect(status, JSON.stringify(body)).to.be.within(500, 503);
        return /^The journal went back in time/u.test(body.message) && body.message;
      },
      FAILOVER_MS,
    );
    const { body } = await fleet.request('GET', '/health');
    expect(body.problems).to.include(refusal);
    expect(body.problems).to.include(
      refusal.replace('Commands are refused', 'Indexing waits').replace('graph', 'vector index'),
    );
    expect(await indexMark()).to.deep.equal(mark);
    for (const { port } of fleet.members('command-api')) {
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
      expect([ready.status, ((await ready.json()) as { message: string }).message]).to.deep.equal([503, refusal]);
    }
    const { code, out } = await palimpsest('verify', '--distributed', '--all', '--wait', '0');
    expect(code).to.equal(1);
    for (const id of [...lost, String(kept[0])]) expect(out).to.contain(id);
  });

  it('goes on when an operator accepts the loss', async () => {
    const asked = await palimpsest('rebuild', 'history', '--distributed');
    expect(asked.code).to.equal(1);
    expect(asked.err).to.contain('Nothing was changed: run the same command with --accept-loss');
    const before = KINDS.flatMap((kind) => fleet.members(kind));
    const accepted = await palimpsest('rebuild', 'history', '--distributed', '--accept-loss');
    expect(accepted.code, accepted.err).to.equal(0);
    // Each process stops by itself. A supervisor starts it again.
    for (const { ended, kind, output } of before) expect(await ended, `${kind}\n${output()}`).to.equal(1);
    await Promise.all(before.map(({ kind, port }) => fleet.add(kind, { port })));

    const refused = await fleet.request('GET', `/recall?query=kept&consistent_with=${receipt}`);
    expect([refused.status, refused.body.field], receipt).to.deep.equal([400, 'consistent_with']);
    expect(refused.body.message).to.include('another history');
    const later = await stored('Written after the loss was accepted');
    expect((await fleet.request('GET', `/recall?query=kept&consistent_with=${receipt}`)).status).to.equal(200);
    await fleet.settled();
    expect(await contentOf(String(kept[0]))).to.equal('Kept 0');
    for (const id of lost) expect(await contentOf(id)).to.equal(undefined);
    const recalled = await fleet.request('GET', '/recall?query=accepted+loss');
    expect(recalled.body.results.map(({ memory }: { memory: { memory_id: string } }) => memory.memory_id)).to.include(
      later,
    );
    expect(await differencesOfFleet(fleet.deployment)).to.deep.equal([]);
    expect((await fleet.request('GET', '/health')).body.problems).to.deep.equal([]);
  });
});
