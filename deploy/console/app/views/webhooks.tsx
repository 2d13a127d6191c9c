/** Webhooks: each address that gets events, how far it is and why it fails; and a new one. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { Empty, ProblemNote, ReadingState } from '../parts/basics.js';
import { Icon } from '../parts/icon.js';
import { SecretNote } from '../parts/secret-note.js';
import { hrefOf } from '../service/route.js';
import { call, type Problem } from '../service/service.js';
import { useRead } from '../service/use-read.js';
import { type Choice, WebhookForm } from './webhook-form.js';
import { WebhookState, wordsOf } from './webhook-state.js';

const EVERY_MS = 3_000;

export function WebhooksView() {
  const reading = useRead('webhooks', (signal) => call('listWebhooks', { signal }), EVERY_MS);
  const [isOpen, setIsOpen] = useState(false);
  const [created, setCreated] = useState<ReplyOf<'createWebhook'> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  const create = async (choice: Choice): Promise<void> => {
    const result = await call('createWebhook', { body: choice });
    setProblem(result.ok ? null : result.problem);
    if (!result.ok) return;
    setCreated(result.body);
    setIsOpen(false);
    reading.again();
  };
  const webhooks = reading.body?.webhooks ?? [];
  return (
    <>
      <h1>Webhooks</h1>
      {created !== null && (
        <SecretNote
          key={created.webhook.id}
          kind="Secret"
          secret={created.secret}
          owner={created.webhook.url}
          onDone={() => setCreated(null)}
        />
      )}
      <section class="panel" aria-label="New webhook">
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <Icon name="add" /> New webhook
        </button>
        {isOpen && <WebhookForm verb="Create" onSubmit={create} />}
        {isOpen && <ProblemNote problem={problem} />}
      </section>
      <ReadingState reading={reading} what="the webhooks" />
      {reading.body !== null && webhooks.length === 0 && (
        <Empty>No address gets events yet. A new webhook sends each event of the journal to yours.</Empty>
      )}
      <ul class="results" aria-label="Webhooks">
        {webhooks.map((webhook) => (
          <li key={webhook.id} class="panel">
            <p class="content">
              <a href={hrefOf('webhooks', webhook.id)}>{webhook.url}</a>
            </p>
            {webhook.description !== '' && <p>{webhook.description}</p>}
            <p class="facts">{wordsOf(webhook)}</p>
            <WebhookState webhook={webhook} />
          </li>
        ))}
      </ul>
    </>
  );
}
