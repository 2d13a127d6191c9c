/** GET /admin/dead-letters: the events that no projector could apply, oldest first, page by page. */
import { DEAD_LETTERS_LIMIT } from '../../shared/contract/limits.js';
import type { ReplyOf } from '../../shared/contract/operations.js';
import type { Handler } from '../../shared/http/handler.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { DeadLetter, DeadLetters } from '../../shared/ports/journal.js';

const PAGE = 100;

export function createListDeadLetters({
  deadLetters,
  clock,
}: {
  readonly deadLetters: Pick<DeadLetters, 'list' | 'count'>;
  readonly clock: Clock;
}): Handler<'listDeadLetters'> {
  return async ({ query: { projector, after = 0, limit: wanted = PAGE } }) => {
    const limit = Math.min(Math.max(1, wanted), DEAD_LETTERS_LIMIT);
    const [letters, total] = await Promise.all([
      deadLetters.list({ ...(projector !== undefined && { projector }), afterId: after, limit: limit + 1 }),
      deadLetters.count(projector),
    ]);
    const page = letters.slice(0, limit);
    const now = clock.now().getTime();
    return {
      status: 200,
      body: {
        status: 'success',
        dead_letters: page.map((letter) => letterBody(letter, now)),
        count: page.length,
        total,
        next: letters.length > limit ? (page.at(-1)?.id ?? null) : null,
      },
    };
  };
}

function letterBody(
  { eventId, awaitsRedrive, ...letter }: DeadLetter,
  now: number,
): ReplyOf<'listDeadLetters'>['dead_letters'][number] {
  const ageSeconds = Math.max(0, Math.round((now - Date.parse(letter.at)) / 1_000));
  return { ...letter, event_id: eventId, age_seconds: ageSeconds, awaits_redrive: awaitsRedrive };
}
