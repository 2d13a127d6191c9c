/**
 * Sends the same requests to a new tenant each time, every operation among them, and returns its replies in a form that
 * is equal byte by byte where the tenant sees nothing but itself.
 */
import { expect } from 'chai';
import type { Example } from '../../../shared/contract/examples/example.js';
import { EXAMPLES } from '../../../shared/contract/examples/examples.js';
import type { OperationName } from '../../../shared/contract/operations.js';
import { until } from '../checks/until.js';
import { createNormalise } from './normalise-reply.js';
import { importMemories, memoryOf } from './same-words.js';
import { type Call, callOf, exampleOf, OPERATION_NAMES, operationOf, type RawReply, send } from './send-operation.js';
import type { ServiceWithTenants } from './service-with-tenants.js';
import { makeTenant, type TestTenant } from './tenant.js';

export type Observed = {
  /** Null: a request beyond the examples. */
  readonly operation: OperationName | null;
  readonly request: string;
  readonly reply: string;
};

/** Memories with ids that a neighbour has too. */
const OWN_MEMORIES = 30;
const OWN_ONE_BY_ONE = 12;
const NAME = 'observed';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** Examples without a time get one: two runs have neither the present time nor the order of ties in common. */
const EXAMPLES_WITH_TIMES: Readonly<Partial<Record<OperationName, (body: object) => object>>> = {
  storeMemory: (body) => ({ ...body, timestamp: '2022-03-01T08:00:00Z' }),
  // Its reader knows the shape of the example.
  storeBatch: (body) => ({
    memories: (body as { memories: object[] }).memories.map((memory, index) => ({
      ...memory,
      timestamp: `2022-03-0${index + 2}T08:00:00Z`,
      importance: 0.5 + index / 10,
    })),
  }),
};

/** Questions whose answers depend on counts of a whole tenant: rarity of words, use, sizes, positions. */
const QUESTIONS = [
  '/recall?query=green+tea&limit=10&explain=1',
  '/recall?query=coffee+for+the+office&tags=drinks&expand_relations=true&expand_entities=true&explain=1',
  '/recall?limit=10',
  '/recall?query=zanzibarine&min_score=0',
  '/recall?tags=zanzibarine',
  '/memories?limit=50&facets=true&tags=drinks',
  '/memory/by-tag?tags=drinks&limit=50',
  '/events?after=0&limit=1000',
  '/graph/snapshot?limit=100',
  '/entities?limit=100',
  '/entity/zanzibarine-berg',
  '/admin/jobs',
  '/admin/keys',
  '/admin/webhooks',
  '/admin/projectors',
  '/overview',
  '/activity',
  '/health',
  '/no-such-path',
] as const;

export async function observeTenant(service: ServiceWithTenants): Promise<readonly Observed[]> {
  const tenant = await makeTenant(service, NAME);
  try {
    return await observe(service, tenant);
  } finally {
    await tenant.remove();
  }
}

async function observe({ url, isOrdered }: ServiceWithTenants, tenant: TestTenant): Promise<readonly Observed[]> {
  const { headers } = tenant;
  const observed: Observed[] = [];
  const normalise = createNormalise();
  const learned = new Map<string, string>();
  const withOwnIds = (text: string): string =>
    [...learned].reduce((whole, [shown, own]) => whole.replaceAll(shown, own), text);

  async function ask(call: Call, operation: OperationName | null = null): Promise<RawReply> {
    const own = { ...call, path: withOwnIds(call.path), body: call.body === null ? null : withOwnIds(call.body) };
    const received = await send(url, own, headers, isWholeStream);
    const reply = call.isStream ? firstFrames(received) : received;
    observed.push({ operation, request: `${call.method} ${call.path}`, reply: await normalise(reply) });
    return reply;
  }

  const own = Array.from({ length: isOrdered ? OWN_MEMORIES : OWN_ONE_BY_ONE }, (_, number) => memoryOf(number));
  for (const memories of isOrdered ? [own] : own.map((memory) => [memory])) {
    await importMemories({ url, headers }, memories);
    await tenant.settled();
  }
  const ordered = [...new Set([...(Object.keys(EXAMPLES) as OperationName[]), ...OPERATION_NAMES])];
  for (const name of ordered) {
    const operation = operationOf(name);
    const example = exampleOf(name);
    const body = example.body && (EXAMPLES_WITH_TIMES[name]?.(example.body) ?? example.body);
    const reply = await ask(callOf(name, { ...example, ...(body !== undefined && { body }) }), name);
    const known: Readonly<Partial<Record<string, Example>>> = EXAMPLES;
    if (known[name] === undefined || operation.path.startsWith('/admin/tenants')) continue;
    const text = reply.bytes.toString();
    expect(Object.keys(operation.replies), `${name}: ${text}`).to.include(String(reply.status));
    if (operation.stream)
      await until('the tenant has no open stream', async () => {
        const { body: read } = await tenant.request('GET', '/stream/status');
        return read.subscribers === 0;
      });
    if (operation.stream || operation.download || operation.page) continue;
    const answer: unknown = JSON.parse(text);
    learn(known[name].reply, answer, learned);
    const job = (answer as { readonly job?: { readonly id: string } }).job?.id;
    if (job !== undefined)
      await until('the job has ended', async () => {
        const { body: read } = await tenant.request('GET', `/admin/jobs/${job}`);
        return read.job.finished_at !== null;
      });
    await tenant.settled();
  }
  for (const path of QUESTIONS) await ask({ method: 'GET', path, body: null, isStream: false });
  return observed;
}

/** Of the first frames of a stream that are compared: more than one write of the server. */
const FRAMES = 20;
const FRAME_END = '\n\n';

const isWholeStream = (text: string): boolean => text.split(FRAME_END).length > FRAMES;

function firstFrames(reply: RawReply): RawReply {
  const frames = reply.bytes.toString().split(FRAME_END).slice(0, FRAMES);
  return { ...reply, bytes: Buffer.from(frames.join(FRAME_END)) };
}

/** Remembers the first id of the tenant at the place of each id of the example. */
function learn(shown: unknown, real: unknown, learned: Map<string, string>): void {
  if (typeof shown === 'string' && typeof real === 'string' && UUID.test(shown) && !learned.has(shown))
    learned.set(shown, real);
  if (typeof shown === 'object' && shown !== null && typeof real === 'object' && real !== null)
    for (const [key, value] of Object.entries(shown))
      learn(value, (real as Readonly<Record<string, unknown>>)[key], learned);
}
