/** What one webhook sends, and its state in words. */
import { DISABLED_BY_ADMINISTRATOR } from '../../../../shared/contract/maintenance/webhooks.js';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { count, Time } from '../parts/basics.js';

export type Webhook = ReplyOf<'getWebhook'>['webhook'];

export function wordsOf({ types, tags }: Pick<Webhook, 'types' | 'tags'>): string {
  const events = types.length === 0 ? 'All events' : types.join(', ');
  return tags.length === 0 ? events : `${events}; of memories with ${tags.join(' or ')}`;
}

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const {
    enabled,
    disabled_reason: reason,
    position,
    lag_events: lag,
    failing_since: since,
    last_error: error,
  } = webhook;
  const word = enabled ? (since === null ? 'enabled' : 'failing') : 'disabled';
  return (
    <>
      <p>
        <span class={`state ${word === 'enabled' ? 'open' : 'cut'}`}>{word}</span>
        {reason === DISABLED_BY_ADMINISTRATOR && ' by an administrator'}, at position {position.toLocaleString('en')},{' '}
        {lag === 0 ? 'up to date' : `${count(lag, 'event')} behind`}
      </p>
      {reason !== null && reason !== DISABLED_BY_ADMINISTRATOR && <p class="problem">Disabled: {reason}</p>}
      {since !== null && (
        <p class="problem">
          Failing, first <Time at={since} />
          {error !== null && `: ${error}`}
        </p>
      )}
    </>
  );
}
