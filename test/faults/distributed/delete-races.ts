/**
 * Races between associate and delete: no association without its ends, and no 201 without an association or its later
 * removal.
 */
import { expect } from 'chai';
import type { Answer } from '../../support/clients/http-caller.js';
import { expectConsistentStores, type FaultSetup } from './fault-checks.js';
import { sendCommand } from './load.js';

const RACES = Number(process.env['PALIMPSEST_ASSOCIATE_RACES'] ?? 1_000);
const CONCURRENT_RACES = 10;

export function associateDeleteRaces(stage: () => FaultSetup): void {
  it(`leave no association without its ends (${RACES} races)`, async function () {
    this.timeout(600_000);
    const { fleet } = stage();
    const refusals: string[] = [];
    for (let from = 0; from < RACES; from += CONCURRENT_RACES) {
      await Promise.all(
        Array.from({ length: Math.min(CONCURRENT_RACES, RACES - from) }, (_, index) =>
          race(stage(), { number: from + index, refusals }),
        ),
      );
    }
    if (refusals.length > 0) process.stdout.write(`        refused with 503 and repeated: ${refusals.join('; ')}\n`);
    await expectConsistentStores(stage());
    const { body } = await fleet.request('GET', '/memory/by-tag?tags=racer&limit=1');
    expect(body.memories, 'each racing target was deleted').to.have.length(0);
  });
}

async function race(
  { fleet }: FaultSetup,
  { number, refusals }: { readonly number: number; readonly refusals: string[] },
): Promise<void> {
  const command = (method: string, path: string, body?: unknown): Promise<Answer> =>
    sendCommand(fleet, { method, path, body, refusals });
  const store = async (content: string, tag: string): Promise<string> => {
    const { status, body } = await command('POST', '/memory', { content, tags: [tag], type: 'Context' });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.memory_id;
  };
  const [source, target] = await Promise.all([store(`Runner ${number}`, 'runner'), store(`Hurdle ${number}`, 'racer')]);
  const [association, deletion] = await Promise.all([
    command('POST', '/associate', { memory1_id: source, memory2_id: target, type: 'RELATES_TO', strength: 0.5 }),
    command('DELETE', `/memory/${target}`),
  ]);
  expect(deletion.status, JSON.stringify(deletion.body)).to.equal(200);
  expect([201, 404], JSON.stringify(association.body)).to.include(association.status);
  const read = await fleet.request('GET', `/memory/${source}`);
  expect(read.status, JSON.stringify(read.body)).to.equal(200);
  const types = (read.body.memory.relations as { readonly type: string }[]).map(({ type }) => type);
  expect(types, 'only derived associations may remain').to.not.include('RELATES_TO');
  const gone = await command('DELETE', `/memory/${source}`);
  expect(gone.status, JSON.stringify(gone.body)).to.equal(200);
}
