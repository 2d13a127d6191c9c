/** The commands of operators for webhooks: create, change, delete, rotate the secret, replay. */
import { randomBytes } from 'node:crypto';
import { DISABLED_BY_ADMINISTRATOR, SECRET_OVERLAP_HOURS } from '../../shared/contract/maintenance/webhooks.js';
import type { Handlers } from '../../shared/http/handler.js';
import type { OutboundAddresses } from '../../shared/http/outbound-address.js';
import { beyondHeadError } from '../../shared/journal/beyond-head-error.js';
import { type Clock, formatTimestamp, type Ids } from '../../shared/kernel/clock.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import type { Webhook, WebhookChange, Webhooks } from '../../shared/ports/webhooks.js';
import { foundWebhook, unknownWebhookError, webhookBody } from '../../shared/webhooks/webhook-body.js';
import { readTags } from '../memories/memory-fields.js';
import { readWebhookUrl } from './read-webhook-url.js';

export type WebhookDeps = {
  readonly webhooks: Pick<Webhooks, 'create' | 'find' | 'update' | 'remove'>;
  readonly journal: Pick<JournalReader, 'head'>;
  readonly addresses: Pick<OutboundAddresses, 'problemOf'>;
  readonly clock: Clock;
  readonly ids: Ids;
};

type Operation = 'createWebhook' | 'updateWebhook' | 'deleteWebhook' | 'rotateWebhookSecret' | 'replayWebhook';

const SECRET_BYTES = 32;
const HOUR_MS = 60 * 60 * 1_000;

export function createAdministerWebhooks({
  webhooks,
  journal,
  addresses,
  clock,
  ids,
}: WebhookDeps): Handlers<Operation> {
  /** The position `after`, or the head of the journal. */
  async function readPosition(after?: number): Promise<number> {
    const head = await journal.head();
    if (after === undefined) return head;
    if (after > head) throw beyondHeadError('after', { position: after, head });
    return after;
  }

  const shown = async (webhook: Webhook) => webhookBody(webhook, await journal.head());

  async function change(id: string, changes: WebhookChange) {
    return { status: 'success', webhook: await shown(foundWebhook(await webhooks.update(id, changes))) } as const;
  }

  return {
    createWebhook: async ({ body: { url, description = '', types = [], tags = [], after } }) => {
      const secret = newSecret();
      const webhook = await webhooks.create({
        id: ids.uuid(),
        url: readWebhookUrl(url, addresses),
        description,
        types,
        tags: readTags(tags),
        secret,
        position: await readPosition(after),
      });
      return { status: 201, body: { status: 'success', webhook: await shown(webhook), secret } };
    },
    updateWebhook: async ({ params, body: { url, description, types, tags, enabled } }) => ({
      status: 200,
      body: await change(params.webhook, {
        ...(url !== undefined && { url: readWebhookUrl(url, addresses) }),
        ...(description !== undefined && { description }),
        ...(types !== undefined && { types }),
        ...(tags !== undefined && { tags: readTags(tags) }),
        ...(enabled !== undefined && { disabledReason: enabled ? null : DISABLED_BY_ADMINISTRATOR }),
      }),
    }),
    deleteWebhook: async ({ params: { webhook: id } }) => {
      if (!(await webhooks.remove(id))) throw unknownWebhookError();
      return { status: 200, body: { status: 'success', id } };
    },
    rotateWebhookSecret: async ({ params: { webhook: id }, body: { overlap_hours: hours = SECRET_OVERLAP_HOURS } }) => {
      const { secret: previousSecret } = foundWebhook(await webhooks.find(id));
      const secret = newSecret();
      const previous =
        hours === 0
          ? { previousSecret: null, previousSecretUntil: null }
          : { previousSecret, previousSecretUntil: formatTimestamp(new Date(clock.now().getTime() + hours * HOUR_MS)) };
      return { status: 200, body: { ...(await change(id, { secret, ...previous })), secret } };
    },
    replayWebhook: async ({ params: { webhook: id }, body: { after } }) => ({
      status: 200,
      body: await change(id, { position: await readPosition(after) }),
    }),
  };
}

/** As Standard Webhooks writes a secret. */
function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
