/** One thing of each kind that a tenant has and a caller can name, with a name of the same form that nothing has. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';
import { until } from '../checks/until.js';
import { watch } from '../clients/event-stream.js';
import { CANARY } from './same-words.js';
import type { ServiceWithTenants } from './service-with-tenants.js';
import { makeKey, type TestTenant } from './tenant.js';

export type Probe = {
  readonly kind: string;
  readonly value: string;
  /** No tenant has it. */
  readonly absent: string;
};

export type Holdings = {
  readonly probes: readonly Probe[];
  readonly memory: string;
  /** The body and the Idempotency-Key of a command that was answered. */
  readonly command: { readonly body: object; readonly key: string };
  readonly streamPosition: string;
  readonly backup: Uint8Array;
};

export const COMMAND_KEY = 'command-of-the-neighbour';

export async function makeHoldings(service: ServiceWithTenants, tenant: TestTenant): Promise<Holdings> {
  const { request, headers } = tenant;
  const watcher = await watch(service.url, { query: '?after=0', headers });
  const body = { content: `Anna Berg prefers green tea ${CANARY}`, tags: [CANARY, `entity:people:${CANARY}-berg`] };
  const stored = await request('POST', '/memory', { body, headers: { 'idempotency-key': COMMAND_KEY } });
  const second = await request('POST', '/memory', { body: { ...body, content: `${CANARY} again` } });
  expect([stored.status, second.status]).to.deep.equal([201, 201]);
  const memory = stored.body.memory_id as string;
  await tenant.settled();
  const [event] = await until('its stream shows an event', () => watcher.events().length > 0 && watcher.events());
  await watcher.close();
  const job = await request('POST', '/admin/projections/graph/rebuild');
  const webhook = await request('POST', '/admin/webhooks', {
    body: { url: `https://receiver.example/${CANARY}`, description: CANARY, types: ['memory.stored'] },
  });
  expect([job.status, webhook.status]).to.deep.equal([202, 201]);
  const key = await makeKey(service, { tenant: tenant.id, name: CANARY, scopes: ['memories:read'] });
  const { body: feed } = await request('GET', '/events?after=0&limit=1');
  const { body: page } = await request('GET', '/memories?limit=1');
  const backup = await fetch(`${service.url}/backup`, { headers });
  expect(backup.status).to.equal(200);
  const streamPosition = event?.cursor ?? '';
  const ids = {
    'memory id': memory,
    'event id': feed.events[0].id as string,
    'request id': feed.events[0].correlationid as string,
    'job id': job.body.job.id as string,
    'webhook id': webhook.body.webhook.id as string,
    'key id': key.id,
    'tenant id': tenant.id,
  };
  const positions = {
    'feed cursor': feed.next as string,
    receipt: second.headers.get(RECEIPT_HEADER) ?? '',
    'stream position': streamPosition,
  };
  const probes: readonly Probe[] = [
    ...Object.entries(ids).map(([kind, value]) => ({ kind, value, absent: randomUUID() })),
    ...Object.entries(positions).map(([kind, value]) => ({ kind, value, absent: value.replace(/^\w+/u, 'deadbeef') })),
    { kind: 'list cursor', value: page.next_cursor as string, absent: withRandomId(page.next_cursor as string) },
    { kind: 'entity', value: `${CANARY}-berg`, absent: `${CANARY.replace('z', 'y')}-berg` },
    { kind: 'tag', value: CANARY, absent: CANARY.replace('z', 'y') },
  ];
  for (const { kind, value, absent } of probes) expect(value, kind).to.not.be.oneOf(['', absent]);
  return {
    probes,
    memory,
    command: { body, key: COMMAND_KEY },
    streamPosition,
    backup: new Uint8Array(await backup.arrayBuffer()),
  };
}

/** The cursor of a list has the id of the last memory at its end. */
function withRandomId(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  return Buffer.from(text.replace(/[0-9a-f-]{36}(?="\]$)/u, randomUUID())).toString('base64url');
}
