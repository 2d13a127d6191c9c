/** Changes of keys while the journal takes no event. */
import { expect } from 'chai';
import { createAdministerKeys } from '../../../command-api/administer-keys.js';
import { systemClock } from '../../../shared/kernel/clock.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { Key } from '../../../shared/ports/keys.js';
import { rejection } from '../../support/checks/rejection.js';
import { context, facts, memoryId } from './fixtures.js';

const ID = memoryId(1);
const KEY: Key = {
  id: ID,
  name: 'agent',
  scopes: ['memories:read'],
  tag: null,
  expiresAt: null,
  requestsPerMinute: null,
  window: null,
  previousUntil: null,
  lastUsedAt: null,
  uses: 0,
  createdAt: '2024-06-01T12:00:00Z',
  updatedAt: '2024-06-01T12:00:00Z',
};

describe('keys while the journal takes no event', () => {
  function start() {
    const rows = new Map<string, Key>();
    const errors: string[] = [];
    const handlers = createAdministerKeys({
      keys: {
        create: () => {
          rows.set(ID, KEY);
          return Promise.resolve(KEY);
        },
        find: (id) => Promise.resolve(rows.get(id) ?? null),
        rotate: (id) => Promise.resolve(rows.get(id) ?? null),
        remove: (id) => Promise.resolve(rows.delete(id)),
      },
      commands: {
        run: () => Promise.reject(new DependencyError('journal', 'The journal takes no writes')),
        facts: () => facts(),
      },
      journal: { lastOf: () => Promise.resolve([]) },
      tenant: null,
      clock: systemClock,
      ids: { uuid: () => ID },
      logger: { ...silentLogger, error: (_fields: unknown, text?: string) => void errors.push(text ?? '') },
    });
    return { rows, errors, handlers };
  }
  const request = { query: {}, context: context() } as const;

  it('are not made, and their names stay free', async () => {
    const { rows, handlers } = start();
    const body = { name: 'agent', scopes: ['memories:read' as const] };
    const error = await rejection(handlers.createKey({ ...request, params: {}, body }));
    expect(error).to.be.instanceOf(DependencyError);
    expect(rows.size).to.equal(0);
  });

  it('show no new secret', async () => {
    const { rows, handlers } = start();
    rows.set(ID, KEY);
    const error = await rejection(handlers.rotateKey({ ...request, params: { key_id: ID }, body: {} }));
    expect(error).to.be.instanceOf(DependencyError);
  });

  it('are revoked all the same, with an error in the log', async () => {
    const { rows, errors, handlers } = start();
    rows.set(ID, KEY);
    const reply = await handlers.revokeKey({ ...request, params: { key_id: ID }, body: undefined });
    expect(reply.status).to.equal(200);
    expect(rows.size).to.equal(0);
    expect(errors).to.deep.equal(['the event of a revoked key may be missing']);
  });
});
