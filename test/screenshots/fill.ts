/** Stores the demo notes in an empty service: memories, associations, and edits by the holders of keys. */
import { checkedCall } from '../bench/measuring/run-bench.js';
import type { HttpCaller } from '../support/clients/http-caller.js';
import { CALLERS, type Demo } from './demo.js';

/** The tokens of the service. */
export type DemoTokens = { readonly token: string; readonly adminToken: string };

/** Resolves with the id of each memory by its name, when the service has answered; the index may be behind. */
export async function fill(
  { request }: HttpCaller,
  { memories, associations, edits }: Demo,
  { token, adminToken }: DemoTokens,
): Promise<ReadonlyMap<string, string>> {
  const callAs = (key: string): ReturnType<typeof checkedCall> => {
    const headers = { authorization: `Bearer ${key}`, 'x-admin-token': adminToken };
    return checkedCall({ request: (method, path, options) => request(method, path, { ...options, headers }) });
  };
  const call = callAs(token);
  const { body } = await call('POST', '/memory/batch', { memories: [...memories.values()] });
  const ids = new Map([...memories.keys()].map((name, index) => [name, String(body.memory_ids[index])]));
  await call('POST', '/associate', {
    associations: associations.map(({ from, to, type, strength }) => ({
      memory1_id: ids.get(from),
      memory2_id: ids.get(to),
      type,
      strength,
    })),
  });
  for (const name of CALLERS) {
    const made = await call('POST', '/admin/keys', { name, scopes: ['memories:read', 'memories:write'] });
    const edit = callAs(String(made.body.secret));
    for (const { of, change } of edits.filter(({ by }) => by === name))
      await edit('PATCH', `/memory/${ids.get(of)}`, change);
  }
  return ids;
}
