/** The headers of Standard Webhooks (https://www.standardwebhooks.com): id, timestamp and signatures of one event. */
import { createHmac } from 'node:crypto';
import type { Webhook } from '../../../shared/ports/webhooks.js';

const SECRET_PREFIX = /^whsec_/u;

/** `at`: of the attempt. The secret before a rotation signs as well until its time is over. */
export function signEvent(
  { id, body }: { readonly id: string; readonly body: string },
  { secret, previousSecret, previousSecretUntil }: Pick<Webhook, 'secret' | 'previousSecret' | 'previousSecretUntil'>,
  at: number,
): Readonly<Record<string, string>> {
  const isOverlap = previousSecret !== null && previousSecretUntil !== null && at < Date.parse(previousSecretUntil);
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = [secret, ...(isOverlap ? [previousSecret] : [])].map((key) =>
    createHmac('sha256', Buffer.from(key.replace(SECRET_PREFIX, ''), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64'),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  };
}
