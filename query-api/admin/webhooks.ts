/** The webhooks, each with its position in the journal, and the log of their deliveries. */
import { DELIVERIES_LIMIT } from '../../shared/contract/maintenance/webhooks.js';
import type { ReplyOf } from '../../shared/contract/operations.js';
import type { Handlers } from '../../shared/http/handler.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import type { Delivery, Webhooks } from '../../shared/ports/webhooks.js';
import { foundWebhook, webhookBody } from '../../shared/webhooks/webhook-body.js';

const PAGE = 100;

type Operation = 'listWebhooks' | 'getWebhook' | 'listWebhookDeliveries';

export function createShowWebhooks({
  webhooks,
  journal,
}: {
  readonly webhooks: Pick<Webhooks, 'list' | 'find' | 'deliveries'>;
  readonly journal: Pick<JournalReader, 'head'>;
}): Handlers<Operation> {
  return {
    listWebhooks: async () => {
      const [all, head] = await Promise.all([webhooks.list(), journal.head()]);
      const shown = all.map((webhook) => webhookBody(webhook, head));
      return { status: 200, body: { status: 'success', webhooks: shown, count: shown.length } };
    },
    getWebhook: async ({ params: { webhook: id } }) => {
      const [webhook, head] = await Promise.all([webhooks.find(id), journal.head()]);
      return { status: 200, body: { status: 'success', webhook: webhookBody(foundWebhook(webhook), head) } };
    },
    listWebhookDeliveries: async ({ params: { webhook: id }, query: { limit: wanted = PAGE, ...query } }) => {
      foundWebhook(await webhooks.find(id));
      const limit = Math.min(Math.max(1, wanted), DELIVERIES_LIMIT);
      const found = await webhooks.deliveries({ id, ...query, limit: limit + 1 });
      const page = found.slice(0, limit);
      return {
        status: 200,
        body: {
          status: 'success',
          deliveries: page.map(deliveryBody),
          count: page.length,
          next: found.length > limit ? (page.at(-1)?.position ?? null) : null,
        },
      };
    },
  };
}

function deliveryBody(delivery: Delivery): ReplyOf<'listWebhookDeliveries'>['deliveries'][number] {
  const { position, eventId, type, subject, state, attempts, httpStatus, error, durationMs } = delivery;
  return {
    position,
    event_id: eventId,
    type,
    subject,
    state,
    attempts,
    http_status: httpStatus,
    error,
    duration_ms: durationMs,
    first_attempt_at: delivery.firstAttemptAt,
    last_attempt_at: delivery.lastAttemptAt,
    next_attempt_at: delivery.nextAttemptAt,
  };
}
