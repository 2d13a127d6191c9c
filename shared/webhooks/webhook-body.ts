/** What both APIs say of a webhook. */
import type { ReplyOf } from '../contract/operations.js';
import { NotFoundError } from '../kernel/errors.js';
import type { Webhook } from '../ports/webhooks.js';

/** Without its secrets. `head`: of the journal. */
export function webhookBody(webhook: Webhook, head: number): ReplyOf<'getWebhook'>['webhook'] {
  const { id, url, description, types, tags, position, disabledReason } = webhook;
  return {
    id,
    url,
    description,
    types,
    tags,
    enabled: disabledReason === null,
    disabled_reason: disabledReason,
    position,
    lag_events: Math.max(0, head - position),
    failing_since: webhook.failingSince,
    last_error: webhook.lastError,
    previous_secret_until: webhook.previousSecretUntil,
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
  };
}

/** Throws NotFoundError for null. */
export function foundWebhook(webhook: Webhook | null): Webhook {
  if (webhook === null) throw unknownWebhookError();
  return webhook;
}

export function unknownWebhookError(): NotFoundError {
  return new NotFoundError('Webhook not found: GET /admin/webhooks lists the webhooks');
}
