import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../support/checks/until.js';
import { createHttpCaller } from '../support/clients/http-caller.js';
import type { AttackClass } from './attack.js';
import { type Answers, type AttackerThread, startAttacker } from './attacker.js';
import { ATTACKS } from './attacks.js';
import { type Bystander, BYSTANDER_TAG, CALLS, createBystander, type Times, type Watched } from './bystander.js';
import {
  ATTACKED_COMPOSITIONS,
  BYSTANDER_TOKEN,
  residentMemory,
  storeTarget,
  type UnderAttack,
} from './under-attack.js';

/** The longest that a caller may wait while another caller attacks, in ms. */
const LONGEST: Times = { livez: 1_000, recall: 1_500, store: 1_500 };
/** On a machine that is already busy the bound is so many times the worst answer without an attack. */
const TIMES_QUIET = 5;
const QUIET_MS = 3_000;
/** The service is idle when the bystander's answers take at most so many times the quiet ones, or 100 ms. */
const [TIMES_IDLE, IDLE_MS] = [2, 100];
const NEVER: Times = { livez: Infinity, recall: Infinity, store: Infinity };

type Row = {
  readonly class: AttackClass | 'none';
  readonly name: string;
  readonly watched: Watched;
  readonly answers: Answers;
};

for (const { name: composition, start } of ATTACKED_COMPOSITIONS) {
  describe(`the ${composition} service`, () => {
    let service: UnderAttack;
    let bystander: Bystander;
    let attacker: AttackerThread;
    let bound: Times;
    let quick: Times;
    const rows: Row[] = [];

    before(async () => {
      service = await start();
      const target = await storeTarget(service);
      bystander = createBystander(service.url, BYSTANDER_TOKEN);
      attacker = startAttacker(target);
      await bystander.watch(Promise.resolve(), LONGEST);
      const watched = await bystander.watch(pause(QUIET_MS), NEVER);
      expect(watched.failures).to.deep.equal([]);
      bound = timesOf((call) => Math.max(LONGEST[call], TIMES_QUIET * watched.worst[call]));
      quick = timesOf((call) => Math.max(IDLE_MS, TIMES_IDLE * watched.worst[call]));
      rows.push({ class: 'none', name: 'quiet', watched, answers: new Map() });
    });

    after(async () => {
      process.stdout.write(`${tableOf(composition, rows, bound)}\n`);
      await attacker.close();
      await service.close();
    });

    for (const attack of ATTACKS) {
      it(`holds against ${attack.name} (${attack.class})`, async () => {
        const { begin } = await attacker.prepare(attack);
        const running = begin();
        const watched = await bystander.watch(running, quick);
        const answers = await running;
        rows.push({ class: attack.class, name: attack.name, watched, answers });
        expect(watched.failures, 'calls of the bystander').to.deep.equal([]);
        for (const call of CALLS) expect(watched.worst[call], `worst ${call} in ms`).to.be.at.most(bound[call]);
      });
    }

    it('keeps every acknowledged store and is healthy after all attacks', async () => {
      const { request } = createHttpCaller(service.url, BYSTANDER_TOKEN);
      const found = new Set<string>();
      for (let offset = 0, hasMore = true; hasMore; offset = found.size) {
        const { body } = await request('GET', `/memory/by-tag?tags=${BYSTANDER_TAG}&limit=200&offset=${offset}`);
        (body.memories as { readonly id: string }[]).forEach(({ id }) => found.add(id));
        hasMore = body.has_more;
      }
      await until('the service is healthy', async () => (await request('GET', '/health')).body.status === 'healthy');
      for (const [name, { pid }] of Object.entries(service.processes))
        process.stdout.write(`      ${name}: ${await residentMemory(pid)}\n`);

      expect([...bystander.stored].filter((id) => !found.has(id))).to.deep.equal([]);
      for (const [name, { isRunning }] of Object.entries(service.processes))
        expect(isRunning(), `${name} runs`).to.equal(true);
    });
  });
}

function timesOf(value: (call: (typeof CALLS)[number]) => number): Times {
  return { livez: value('livez'), recall: value('recall'), store: value('store') };
}

/** The worst answers of the bystander in ms, and what the attacker was answered. */
function tableOf(composition: string, rows: readonly Row[], bound: Times): string {
  const lines = rows.map(({ class: kind, name, watched: { worst, failures }, answers }) => [
    kind,
    name,
    ...CALLS.map((call) => `${Math.round(worst[call])}${worst[call] > bound[call] ? ' !' : ''}`),
    `${failures.length}${failures.length > 0 ? ' !' : ''}`,
    [...answers].map(([answer, count]) => `${answer} x ${count}`).join(', '),
  ]);
  const bounds = ['', 'bound', ...CALLS.map((call) => `${Math.round(bound[call])}`), '0', ''];
  const all = [['class', composition, ...CALLS, 'failed', 'the attacker was answered'], bounds, ...lines];
  const widths = [12, 58, 8, 8, 8, 8, 0];
  return all
    .map((cells) =>
      cells
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
