/** Attacks over MCP: batches, bodies at the limit of 4 MB, and callers with a wrong token. */
import { BODY_LIMITS } from '../../shared/contract/limits.js';
import { headers2026, message2026 } from '../support/clients/mcp-2026.js';
import { type Attack, json, many, named, type Request, WRONG_TOKEN } from './attack.js';

/** `count` requests at the same time. */
const posts = (
  name: string,
  {
    count,
    body,
    headers,
    ...request
  }: { readonly count: number; readonly body: () => unknown } & Pick<Request, 'token' | 'headers'>,
): Attack => ({
  class: 'MCP',
  name,
  prepare: () => [json(body())],
  attack: ({ flood }, prepared) =>
    flood(count, () => ({
      method: 'POST',
      body: prepared(),
      headers: { accept: 'application/json, text/event-stream', ...headers },
      ...request,
    })),
});

const message = (method: string, params: object, id = 1) => ({ jsonrpc: '2.0', id, method, params });
const call = (name: string, given: object, id = 1) => message('tools/call', { name, arguments: given }, id);
const initialize = (more: object) =>
  message('initialize', {
    protocolVersion: '2025-03-26',
    capabilities: { experimental: { more } },
    clientInfo: { name: 'attacker', version: '1' },
  });
const recalls = (count: number) => many(count, (id) => call('recall_memory', { query: `batch ${id}`, limit: 50 }, id));
const stores = (count: number) => many(count, (id) => call('store_memory', { content: `Stored over MCP ${id}` }, id));
const { names, values } = BODY_LIMITS.mcp;
const atLimits = () => ({
  ...named(names - 100),
  list: Array<number>(values - names - 100).fill(0),
  text: 'x'.repeat(2_000_000),
});
const wrong = { token: WRONG_TOKEN };

/** As a client of revision 2026-07-28 sends it. */
const in2026 = (method: string, params: Readonly<Record<string, unknown>>) => {
  const sent = { id: 1, method, params };
  return { body: () => message2026(sent), headers: headers2026(sent) };
};

export const mcpAttacks: readonly Attack[] = [
  posts('20 batches of 100 recalls', { count: 20, body: () => recalls(100) }),
  posts('20 batches of 50 recalls', { count: 20, body: () => recalls(50) }),
  posts('20 batches of 50 stores', { count: 20, body: () => stores(50) }),
  posts('40 x 4 MB of values, wrong token', {
    count: 40,
    body: () => call('store_memory', { tags: Array<number>(2_000_000).fill(0) }),
    ...wrong,
  }),
  posts('40 x 4 MB of names, wrong token', {
    count: 40,
    body: () => call('store_memory', { metadata: named(240_000) }),
    ...wrong,
  }),
  posts('500 x 60 KB of names, wrong token', {
    count: 500,
    body: () => call('store_memory', { metadata: named(4_000) }),
    ...wrong,
  }),
  posts('40 x 3 MB at the limits', { count: 40, body: () => call('store_memory', { metadata: atLimits() }) }),
  posts('300 initialize at the limits of names', { count: 300, body: () => initialize(named(names - 100)) }),
  posts('a batch of 100 tools/list, wrong token', {
    count: 1,
    body: () => many(100, (id) => message('tools/list', {}, id)),
    ...wrong,
  }),
  posts('500 subscriptions', { count: 500, ...in2026('subscriptions/listen', { notifications: {} }) }),
  posts('300 server/discover at the limits of names', {
    count: 300,
    ...in2026('server/discover', { more: named(names - 100) }),
  }),
  posts('40 x 3 MB at the limits in revision 2026-07-28', {
    count: 40,
    ...in2026('tools/call', { name: 'store_memory', arguments: { metadata: atLimits() } }),
  }),
  posts('40 batches of 50 tools/list', { count: 40, body: () => many(50, (id) => message('tools/list', {}, id)) }),
];
