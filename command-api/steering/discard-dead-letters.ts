/** POST /admin/dead-letters/discard: gives events up that could not be projected. The journal keeps them. */
import type { Handler } from '../../shared/http/handler.js';
import type { DeadLetters } from '../../shared/journal/journal.js';
import { chooseLetters } from './choose-letters.js';

export function createDiscardDeadLetters({
  deadLetters,
}: {
  readonly deadLetters: Pick<DeadLetters, 'get' | 'list' | 'discard'>;
}): Handler<'discardDeadLetters'> {
  return async ({ body }) => {
    const { letters, unknown } = await chooseLetters(deadLetters, body);
    const ids = letters.map(({ id }) => id);
    await deadLetters.discard(ids);
    return { status: 200, body: { status: 'discarded', count: ids.length, ids, unknown } };
  };
}
