/**
 * A service with memories that a key restricted to `agent:alice` sees, and foreign ones, which are similar to them,
 * associated with them, and replace them. The foreign ones contain `zebra`, which no request does, and `savanna`.
 */
import { expect } from 'chai';
import type { Engines } from '../../../../deploy/embedded/engines.js';
import type { CallOptions } from '../../../support/clients/http-caller.js';
import { withRecall } from '../../../support/fixtures/query-config.js';
import { type Service, startService } from '../../../support/processes/service.js';
import { type EmbeddingServer, startEmbeddingServer } from '../../../support/servers/embedding-server.js';

export const TAG = 'agent:alice';
const MARKER = /zebra/iu;
const TOKEN = 'api-token';
const ADMIN = { Authorization: `Bearer ${TOKEN}`, 'X-Admin-Token': 'admin-token' };
const CARLA = 'entity:people:carla-gomez';
const LAPSED = '2020-01-01T00:00:00+00:00';

export type Caller = Service['request'];
export type Opened = {
  readonly service: Service;
  readonly admin: Caller;
  readonly alice: Caller;
  /** Ids by name. */
  readonly own: Readonly<Record<string, string>>;
  readonly foreign: Readonly<Record<string, string>>;
  /** The secret of the key. */
  readonly secret: string;
  readonly close: () => Promise<void>;
};

export async function openOwnAndForeign(alter: (engines: Engines) => Engines = (engines) => engines): Promise<Opened> {
  const model: EmbeddingServer = await startEmbeddingServer(() => ({
    body: { choices: [{ message: { content: 'Carla Gomez leads the zebra office.' } }] },
  }));
  const service = await startService({
    enriches: true,
    alter,
    query: withRecall({ identityRefreshMs: 0 }),
    variables: {
      SERVICE_API_TOKEN: TOKEN,
      ADMIN_API_TOKEN: 'admin-token',
      MCP_ENABLED: 'true',
      ENRICHMENT_SIMILARITY_THRESHOLD: '0.3',
      IDENTITY_SYNTHESIS_ENABLED: 'true',
      IDENTITY_SYNTHESIS_MODEL: 'model-of-the-test',
      CLASSIFICATION_BASE_URL: model.url,
    },
  });
  const as =
    (credentials: Readonly<Record<string, string>>): Caller =>
    (method, path, options: CallOptions = {}) =>
      service.request(method, path, { ...options, headers: { ...credentials, ...options.headers } });
  const admin = as(ADMIN);
  const { secret } = await created(admin, '/admin/keys', {
    name: 'alice',
    tag: 'Agent/Alice',
    scopes: ['memories:read', 'memories:write', 'memories:delete'],
  });
  const alice = as({ Authorization: `Bearer ${secret}` });
  const foreign = await storeForeign(admin);
  const own = await storeOwn(alice);
  await associate(admin, own, foreign);
  await service.settled();
  await admin('POST', '/consolidate', { body: { mode: 'identity', dry_run: false } });
  await service.settled();
  const close = async (): Promise<void> => {
    await service.close();
    await model.close();
  };
  return { service, admin, alice, own, foreign, secret, close };
}

/** The key adds its tag, except to `work`, which has one below it. */
async function storeOwn(alice: Caller): Promise<Readonly<Record<string, string>>> {
  const shared = { type: 'Context', metadata: { tool: 'harbour-tool' } };
  const memories: Readonly<Record<string, object>> = {
    gate: {
      content: 'The lantern hangs at the harbour gate',
      tags: ['harbour', 'critical', 'session:7', CARLA],
      ...shared,
    },
    work: { content: 'Lantern oil is kept below deck', tags: ['agent:alice:work', 'harbour', 'session:7'], ...shared },
    carla: {
      content: 'Carla Gomez signs the lantern orders',
      tags: [CARLA, 'system'],
      metadata: { entities: { people: ['Carla Gomez'] } },
    },
    replaced: { content: 'The lantern keeper is Tomas', tags: ['harbour'], importance: 0 },
    lapsed: { content: 'The lantern was green', tags: ['harbour'], t_valid: LAPSED, t_invalid: LAPSED },
    former: { content: 'The lantern code is 11', tags: ['harbour'] },
    latter: { content: 'The lantern code is 12', tags: ['harbour'] },
    begin: { content: 'The lantern road begins at the mill', tags: ['harbour'] },
    end: { content: 'The lantern road ends at the lighthouse', tags: ['harbour'] },
  };
  return storeAll(alice, memories);
}

async function storeForeign(admin: Caller): Promise<Readonly<Record<string, string>>> {
  const tagged = (...tags: string[]) => ({
    tags: ['zebra', 'savanna', 'harbour', 'critical', 'system', 'session:7', CARLA, ...tags],
    metadata: { tool: 'harbour-tool', note: 'zebra', entities: { people: ['Carla Gomez'] } },
    importance: 1,
  });
  return storeAll(admin, {
    gate: { content: 'The zebra lantern of the savanna hangs at the harbour gate', ...tagged('agent:alice2') },
    above: { content: 'Lantern oil zebra is kept below deck', ...tagged('agent') },
    bob: { content: 'Carla Gomez signs the zebra lantern orders', ...tagged('agent:bob') },
    successor: { content: 'The lantern keeper is zebra Vera', ...tagged() },
    opponent: { content: 'The lantern hangs at the zebra mill', ...tagged('alice') },
    between: { content: 'The lantern road zebra crossing', ...tagged('my:agent:alice') },
    same: { content: 'The lantern code is 12', ...tagged('agent-alice') },
  });
}

async function associate(admin: Caller, own: Opened['own'], foreign: Opened['foreign']): Promise<void> {
  const between = [
    [own['gate'], foreign['gate'], 'RELATES_TO'],
    [foreign['above'], own['gate'], 'LEADS_TO'],
    [own['gate'], own['work'], 'RELATES_TO'],
    [own['replaced'], foreign['successor'], 'EVOLVED_INTO'],
    [own['lapsed'], foreign['successor'], 'INVALIDATED_BY'],
    [own['former'], own['latter'], 'INVALIDATED_BY'],
    [own['gate'], foreign['opponent'], 'CONTRADICTS'],
    [own['begin'], foreign['between'], 'EVOLVED_INTO'],
    [foreign['between'], own['end'], 'EVOLVED_INTO'],
    [foreign['same'], own['latter'], 'RELATES_TO'],
  ] as const;
  const associations = between.map(([memory1_id, memory2_id, type]) => ({
    ...{ memory1_id, memory2_id, type, strength: 0.9 },
    ...(type === 'CONTRADICTS' && { reason: 'zebra' }),
  }));
  await created(admin, '/associate', { associations });
}

async function storeAll(caller: Caller, memories: Readonly<Record<string, object>>) {
  const { memory_ids: ids } = await created(caller, '/memory/batch', { memories: Object.values(memories) });
  const named = Object.keys(memories).map((name, index) => [name, ids[index] as string] as const);
  for (const [name, id] of named) {
    const { t_invalid } = memories[name] as { readonly t_invalid?: string };
    if (t_invalid)
      expect((await caller('PATCH', `/memory/${id}`, { body: { t_valid: LAPSED, t_invalid } })).status).to.equal(200);
  }
  return Object.fromEntries(named);
}

async function created(caller: Caller, path: string, body: object) {
  const answer = await caller('POST', path, { body });
  expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
  return answer.body;
}

/** What a reply has of the foreign memories: their ids, and texts with the marker. */
export function foreignIn(reply: unknown, foreign: Opened['foreign']): readonly string[] {
  const text = JSON.stringify(reply);
  return [...Object.values(foreign).filter((id) => text.includes(id)), ...(MARKER.exec(text) ?? [])];
}
