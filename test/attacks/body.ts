/** Attacks by bodies: large, slow, deep, or with as many names and values as the limits allow. */
import { BODY_LIMITS, TAG_LEVELS_LIMIT } from '../../shared/contract/limits.js';
import { type Attack, type Attacker, headOf, json, many, named, WRONG_TOKEN } from './attack.js';

const attack = (name: string, prepare: Attack['prepare'] & object, run: Attack['attack']): Attack => ({
  class: 'body',
  name,
  prepare,
  attack: run,
});
const nothing = (): Buffer[] => [];
const store = (body: Buffer) => ({ method: 'POST', path: '/memory', body });
const storeBatch = (body: Buffer) => ({ method: 'POST', path: '/memory/batch', body });

/** Answered 400, because metadata may have 64 KB. */
function memoryAtLimits(): Buffer[] {
  const { bytes, values, names } = BODY_LIMITS.memory;
  const list = Array<number>(values - names).fill(0);
  return [
    json({ content: 'At the limits', metadata: { ...named(names - 10), list, text: 'x'.repeat(bytes - 600_000) } }),
  ];
}

/** Answered 400 for its last memory. */
function batchAtLimits(): Buffer[] {
  const metadata = { ...named(110), list: Array<number>(1_400).fill(0), text: 'x'.repeat(55_000) };
  const memories = many(500, (index) => ({ content: index === 499 ? ' ' : `Batch at the limits ${index}`, metadata }));
  return [json({ memories })];
}

/** Memories with 100 different tags each. */
function taggedBatch(count: number, levels: number): Buffer[] {
  const tag = (memory: number, index: number): string =>
    many(levels, () => `${memory}${index}`)
      .join(':')
      .slice(0, 256);
  const memories = many(count, (memory) => ({
    content: `Tagged ${memory}`,
    tags: many(100, (index) => tag(memory, index)),
  }));
  return [json({ memories })];
}

/** Each body is announced as larger than what is sent, so that the service waits for the rest. */
function hold(
  { target, connect }: Attacker,
  { path, sent, count }: Record<'path', string> & Record<'sent' | 'count', number>,
) {
  const text = `{"content":"${'x'.repeat(sent)}`;
  return connect(count, (socket) => {
    socket.write(headOf(target, `POST ${path}`, { 'content-length': sent + 100_000 }));
    socket.write(text);
  });
}

export const bodyAttacks: readonly Attack[] = [
  attack('50 memories of 6 MB at the limits of one memory', memoryAtLimits, ({ flood }, body) =>
    flood(50, () => store(body())),
  ),
  attack('8 batches of 28 MB at the limits', batchAtLimits, ({ flood }, body) => flood(8, () => storeBatch(body()))),
  attack(
    '60 memories with 100 tags of 90 levels',
    () => taggedBatch(60, 90),
    ({ flood }, body) => flood(1, () => storeBatch(body())),
  ),
  attack(
    `500 memories with 100 tags of ${TAG_LEVELS_LIMIT} levels`,
    () => taggedBatch(500, TAG_LEVELS_LIMIT),
    ({ flood }, body) => flood(1, () => storeBatch(body())),
  ),
  attack('9 bodies of 28 MB that do not end', nothing, (attacker) =>
    hold(attacker, { path: '/memory/batch', sent: 28 * 1024 * 1024, count: 9 }),
  ),
  attack('300 bodies of 900 KB that do not end', nothing, (attacker) =>
    hold(attacker, { path: '/memory', sent: 900_000, count: 300 }),
  ),
  attack('600 small bodies that do not end', nothing, (attacker) =>
    hold(attacker, { path: '/memory', sent: 100, count: 600 }),
  ),
  attack('20 bodies in 50,000 chunks of one byte', nothing, ({ target, connect }) =>
    connect(20, (socket) => {
      socket.write(headOf(target, 'POST /memory', { 'transfer-encoding': 'chunked' }));
      socket.end(`${'1\r\n \r\n'.repeat(50_000)}0\r\n\r\n`);
    }),
  ),
  attack('40 batches of 28 MB with a wrong token', batchAtLimits, ({ flood }, body) =>
    flood(40, () => ({ ...storeBatch(body()), token: WRONG_TOKEN })),
  ),
  attack('40 bodies of 28 MB where 6 MB are allowed', batchAtLimits, ({ flood }, body) =>
    flood(40, () => store(body())),
  ),
  attack(
    '20 batches of 10,000,000 empty objects',
    () => [Buffer.from(`[${'{},'.repeat(10_000_000)}{}]`)],
    ({ flood }, body) => flood(20, () => storeBatch(body())),
  ),
];
