/** Lists the keys of callers, without the keys themselves. */
import type { Handler } from '../../shared/http/handler.js';
import { keyBody } from '../../shared/keys/key-body.js';
import type { Keys } from '../../shared/ports/keys.js';

export function createListKeys({ keys }: { readonly keys: Pick<Keys, 'list'> }): Handler<'listKeys'> {
  return async () => {
    const shown = (await keys.list()).map(keyBody);
    return { status: 200, body: { status: 'success', keys: shown, count: shown.length } };
  };
}
