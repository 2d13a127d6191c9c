/** Measures every recall, and publishes it to the watchers of the live stream after its response was sent. */
import type { RecallQuery } from '../../shared/contract/queries/recall-query.js';
import type { Handler } from '../../shared/http/handler.js';
import { type Clock, formatTimestamp } from '../../shared/kernel/clock.js';
import type { EventPublisher } from '../../shared/ports/stream.js';
import type { RecentRecalls } from '../health/recent-recalls.js';
import { limitOf } from '../recall/plan/plan-recall.js';

const QUERY_CHARACTERS = 50;
const TAGS_SHOWN = 3;

type Dependencies = {
  readonly publisher: Pick<EventPublisher, 'notify'>;
  readonly clock: Clock;
  readonly maxLimit: number;
  /** Keeps the time of each recall for GET /activity. */
  readonly recalls: Pick<RecentRecalls, 'add'>;
};

export function watchRecall(
  recall: Handler<'recall'>,
  { publisher, clock, maxLimit, recalls }: Dependencies,
): Handler<'recall'> {
  return async (request) => {
    const reply = await recall(request);
    const elapsedMs = performance.now() - request.context.startedAt;
    recalls.add({ elapsedMs, results: reply.body.count });
    return {
      ...reply,
      onSent: () => {
        reply.onSent?.();
        publisher.notify({
          kind: 'watched',
          type: 'memory.recall',
          at: formatTimestamp(clock.now()),
          data: {
            ...asked(request.query),
            limit: limitOf(request.query, { maxLimit }),
            result_count: reply.body.count,
            elapsed_ms: Math.round(elapsedMs * 100) / 100,
          },
        });
      },
    };
  };
}

function asked({ query, queries = [], tags = [] }: RecallQuery): {
  readonly query: string;
  readonly tags: readonly string[];
} {
  const text = query ?? queries.join(', ');
  return { query: [...text].slice(0, QUERY_CHARACTERS).join('') || '(no query)', tags: tags.slice(0, TAGS_SHOWN) };
}
