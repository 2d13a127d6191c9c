/** Races between associate and delete: no association without its ends, and no 201 without an association or its later removal. */
import { expect } from 'chai';
import { expectConsistentStores, type FaultSetup } from './fault-checks.js';

const RACES = Number(process.env['PALIMPSEST_ASSOCIATE_RACES'] ?? 1_000);
const CONCURRENT_RACES = 10;

export function associateDeleteRaces(stage: () => FaultSetup): void {
  it(`leave no association without its ends (${RACES} of associate against delete)`, async function () {
    this.timeout(600_000);
    const { fleet } = stage();
    for (let from = 0; from < RACES; from += CONCURRENT_RACES) {
      await Promise.all(
        Array.from({ length: Math.min(CONCURRENT_RACES, RACES - from) }, (_, index) => race(stage(), from + index)),
      );
    }
    await expectConsistentStores(stage());
    const { body } = await fleet.request('GET', '/memory/by-tag?tags=racer&limit=1');
    expect(body.memories, 'each racing target was deleted').to.have.length(0);
  });
}

async function race({ fleet }: FaultSetup, number: number): Promise<void> {
  const store = async (content: string, tag: string): Promise<string> => {
    const { status, body } = await fleet.request('POST', '/memory', {
      body: { content, tags: [tag], type: 'Context' },
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.memory_id;
  };
  const [source, target] = await Promise.all([store(`Runner ${number}`, 'runner'), store(`Hurdle ${number}`, 'racer')]);
  const [association, deletion] = await Promise.all([
    fleet.request('POST', '/associate', {
      body: { memory1_id: source, memory2_id: target, type: 'RELATES_TO', strength: 0.5 },
    }),
    fleet.request('DELETE', `/memory/${target}`),
  ]);
  expect(deletion.status, JSON.stringify(deletion.body)).to.equal(200);
  expect([201, 404], JSON.stringify(association.body)).to.include(association.status);
  const read = await fleet.request('GET', `/memory/${source}`);
  expect(read.status).to.equal(200);
  const types = (read.body.memory.relations as { readonly type: string }[]).map(({ type }) => type);
  expect(types, 'only derived associations may remain').to.not.include('RELATES_TO');
  const gone = await fleet.request('DELETE', `/memory/${source}`);
  expect(gone.status).to.equal(200);
}
