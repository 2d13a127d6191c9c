/** Which operations a key may use: each operation with each scope, and keys that no longer work. */
import { expect } from 'chai';
import { type OperationName, OPERATIONS } from '../../../shared/contract/operations.js';
import { type Scope, SCOPE_NAMES, scopeOf, TAGGED_KEY_SCOPES } from '../../../shared/contract/scopes.js';
import type { Handlers } from '../../../shared/http/handler.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import { DeadlineError, DependencyError } from '../../../shared/kernel/errors.js';
import { hashOfKey, newKey } from '../../../shared/kernel/keys.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { createCheckKey } from '../../../shared/keys/check-key.js';
import type { Key } from '../../../shared/ports/keys.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { echoOf, type Edge, openEdge } from '../../support/processes/http-edge.js';

const NOW = '2026-06-01T08:30:00+00:00';
const names = (Object.keys(OPERATIONS) as OperationName[]).filter((name) => OPERATIONS[name].access !== 'public');
const asked = names.filter((name) => OPERATIONS[name].access !== 'internal');

function keyWith(scopes: readonly Scope[], changes: Partial<Key> = {}): Key {
  const times = { expiresAt: null, previousUntil: null, lastUsedAt: null, createdAt: NOW, updatedAt: NOW };
  const rate = { requestsPerMinute: null, window: null };
  return { id: crypto.randomUUID(), name: scopes.join(' '), scopes, tag: null, uses: 0, ...times, ...rate, ...changes };
}

describe('the scopes of a key', () => {
  let edge: Edge;
  let clock: Clock;
  const stored = new Map<string, Key>();
  let isDown = false;
  const reads: string[] = [];
  const make = (key: Key): string => {
    const text = newKey();
    stored.set(hashOfKey(text), key);
    return text;
  };
  const send = (name: OperationName, key: string | null) => {
    const { method, path } = OPERATIONS[name];
    const address = path.replace(/[:*]\w+/u, '0197281b-6f40-4c5e-9d3a-51c7e2b80a11');
    const headers = { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) };
    return fetch(edge.url + address, { method, headers, ...(method !== 'GET' && { body: '{}' }) });
  };

  before(async () => {
    clock = { now: () => new Date(NOW) };
    const answer = async () => ({ status: 200, body: {} });
    const keys = {
      findByHash: async (hash: string) => {
        reads.push(hash);
        if (isDown) throw new DependencyError('journal', 'down');
        return stored.get(hash) ?? null;
      },
      addRequests: async () => null,
      addUses: async () => undefined,
    };
    edge = await openEdge({
      handlers: Object.fromEntries(names.map((name) => [name, answer])) as Partial<Handlers<OperationName>>,
      tokens: { api: [{ name: null, token: 'secret' }], admin: 'admin-secret', internal: null },
      checkKey: createCheckKey({ keys, clock: { now: () => clock.now() }, logger: silentLogger }),
    });
  });
  after(() => edge.close());

  for (const scope of SCOPE_NAMES)
    it(`${scope} opens its operations and no others`, async () => {
      const key = make(keyWith([scope]));
      for (const name of asked) {
        const { status } = await send(name, key);
        if (scopeOf(OPERATIONS[name]) === scope) expect(status, name).to.not.be.oneOf([401, 403]);
        else expect(status, name).to.equal(403);
      }
    });

  it('name each operation, and each scope has one', () => {
    expect(new Set(asked.map((name) => scopeOf(OPERATIONS[name])))).to.deep.equal(new Set(SCOPE_NAMES));
  });

  // Each of them restricts itself to the tag of the key: test/service/admin/key-tags.
  it('open twelve operations to a key with a tag', () => {
    expect(
      asked.filter((name) => TAGGED_KEY_SCOPES.some((scope) => scope === scopeOf(OPERATIONS[name]))),
    ).to.have.members([
      ...['storeMemory', 'storeBatch', 'getMemory', 'updateMemory', 'deleteMemory', 'associate'],
      ...['listMemories', 'listByTag', 'deleteByTag', 'listRelated', 'recall', 'startupRecall'],
    ]);
  });

  it('never open internal operations', async () => {
    const key = make(keyWith(SCOPE_NAMES));
    for (const name of names.filter((each) => !asked.includes(each)))
      expect((await send(name, key)).status, name).to.equal(403);
  });

  it('are named in the refusal', async () => {
    const answer = await send('deleteMemory', make(keyWith(['memories:read'], { name: 'reader' })));
    expect(await answer.json()).to.include({ error: "The key 'reader' lacks the scope memories:delete" });
  });

  it('change nothing for the tokens of the environment', async () => {
    expect((await send('recall', 'secret')).status).to.equal(200);
    expect((await send('listKeys', 'secret')).status).to.equal(401);
  });

  it('are of no use with an unknown, a damaged and an expired key', async () => {
    const expired = make(keyWith(SCOPE_NAMES, { expiresAt: NOW }));
    const whole = make(keyWith(SCOPE_NAMES));
    const damaged = `${whole.slice(0, -1)}${whole.endsWith('0') ? '1' : '0'}`;
    const before = reads.length;
    for (const key of [damaged, `plm_${'é'.repeat(38)}`]) expect((await send('recall', key)).status).to.equal(401);
    expect(reads.length, 'a damaged key is not looked up').to.equal(before);
    for (const name of asked)
      for (const key of [newKey(), expired]) expect((await send(name, key)).status, name).to.equal(401);
  });

  it('open operations without the database, for a known key', async () => {
    const known = make(keyWith(['memories:read']));
    expect((await send('recall', known)).status).to.equal(200);
    isDown = true;
    try {
      const unknown = make(keyWith(['memories:read']));
      expect((await send('recall', unknown)).status).to.equal(503);
      expect((await send('recall', known)).status).to.equal(200);
    } finally {
      isDown = false;
    }
  });

  it('do not wait for keys that are unknown, or for a database that hangs', async () => {
    const known = newKey();
    const key = keyWith(['memories:read']);
    let hangs = false;
    const checkKey = createCheckKey({
      keys: {
        findByHash: (hash) =>
          hangs ? new Promise<never>(() => undefined) : Promise.resolve(hash === hashOfKey(known) ? key : null),
        addRequests: async () => null,
        addUses: async () => undefined,
      },
      clock,
      logger: silentLogger,
    });
    expect(await checkKey(known)).to.equal(key);
    hangs = true;
    const begin = performance.now();
    const flood = Array.from({ length: 300 }, () => checkKey(newKey()));
    const refused = flood.slice(-40).map((each) => rejection(each));
    for (const error of await Promise.all(refused)) expect(error).to.be.instanceOf(DeadlineError);
    await until(
      'the key to be read again',
      async () => (await checkKey(known)) === key && performance.now() - begin > 1_500,
    );
  });

  it('come with the name of the key, and repeat commands after a rotation', async () => {
    const key = keyWith(['memories:write'], { name: 'agent-1', tag: 'agent:one' });
    const echoing = await openEdge({
      checkKey: createCheckKey({
        keys: { findByHash: async () => key, addRequests: async () => null, addUses: async () => undefined },
        clock,
        logger: silentLogger,
      }),
    });
    try {
      const contexts = await Promise.all(
        [newKey(), newKey()].map(async (text) => {
          const headers = { authorization: `Bearer ${text}`, 'idempotency-key': 'once' };
          return (await echoOf(await echoing.post('/memory', { content: 'x' }, headers))).context;
        }),
      );
      for (const { actor, scopes, tag } of contexts) {
        expect(actor).to.include({ name: 'agent-1', tier: 'api' });
        expect(tag).to.equal('agent:one');
        expect(scopes).to.deep.equal(['memories:write']);
      }
      expect(new Set(contexts.map(({ commandKey }) => commandKey))).to.have.lengthOf(1);
    } finally {
      await echoing.close();
    }
  });
});
