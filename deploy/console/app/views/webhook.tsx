/** One webhook: its state, its changes and its deliveries. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { ProblemNote, ReadingState, Time } from '../parts/basics.js';
import { type Question, useConfirm } from '../parts/confirm.js';
import { NumberForm } from '../parts/number-form.js';
import { SecretNote } from '../parts/secret-note.js';
import { goTo, hrefOf } from '../service/route.js';
import { call, type Problem, type Result } from '../service/service.js';
import { useRead } from '../service/use-read.js';
import { Deliveries } from './deliveries.js';
import { type Choice, WebhookForm } from './webhook-form.js';
import { type Webhook, WebhookState, wordsOf } from './webhook-state.js';

const EVERY_MS = 3_000;
/** The default of the service. */
const OVERLAP_HOURS = 24;

export function WebhookView({ id }: { readonly id: string }) {
  const reading = useRead(
    `webhook ${id}`,
    (signal) => call('getWebhook', { params: { webhook: id }, signal }),
    EVERY_MS,
  );
  const webhook = reading.body?.webhook;
  return (
    <>
      <h1>Webhook</h1>
      <p>
        <a href={hrefOf('webhooks')}>All webhooks</a>
      </p>
      <ReadingState reading={reading} what="the webhook" />
      {webhook !== undefined && (
        <>
          <section class="panel" aria-labelledby="webhook-title">
            <h2 id="webhook-title" class="content">
              {webhook.url}
            </h2>
            {webhook.description !== '' && <p>{webhook.description}</p>}
            <p>{wordsOf(webhook)}</p>
            <WebhookState webhook={webhook} />
            <p class="facts">
              Created <Time at={webhook.created_at} />, changed <Time at={webhook.updated_at} />
              {webhook.previous_secret_until !== null && (
                <>
                  , the previous secret ends <Time at={webhook.previous_secret_until} />
                </>
              )}
            </p>
          </section>
          <ChangeWebhook webhook={webhook} onChanged={reading.again} />
          <Deliveries id={id} />
        </>
      )}
    </>
  );
}

type ChangeProps = { readonly webhook: Webhook; readonly onChanged: () => void };

function ChangeWebhook({ webhook, onChanged }: ChangeProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [rotated, setRotated] = useState<ReplyOf<'rotateWebhookSecret'> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { dialog, ask } = useConfirm();
  const params = { webhook: webhook.id };

  const finish = <T,>(result: Result<T>): T | null => {
    setProblem(result.ok ? null : result.problem);
    onChanged();
    return result.ok ? result.body : null;
  };
  const change = async (body: Partial<Choice> & { readonly enabled?: boolean }, question?: Question): Promise<void> => {
    if (question !== undefined && !(await ask(question))) return;
    if (finish(await call('updateWebhook', { params, body })) !== null) setIsOpen(false);
  };
  const rotate = async (overlapHours: number): Promise<void> => {
    const detail =
      overlapHours === 0
        ? 'The present secret signs nothing from now on: the receiver refuses events until it has the new one.'
        : `Events are signed with both secrets for ${overlapHours} hours: give the receiver the new one in that time.`;
    if (!(await ask({ title: 'Replace the secret?', detail, verb: 'Rotate' }))) return;
    setRotated(finish(await call('rotateWebhookSecret', { params, body: { overlap_hours: overlapHours } })));
  };
  const replay = async (after: number): Promise<void> => {
    if (await ask(questionOf(after, webhook.position)))
      finish(await call('replayWebhook', { params, body: { after } }));
  };
  const remove = async (): Promise<void> => {
    const detail = 'It sends nothing more. Its secret and its log are deleted; the journal keeps the events.';
    if (!(await ask({ title: 'Delete this webhook?', detail, verb: 'Delete' }))) return;
    if (finish(await call('deleteWebhook', { params })) !== null) goTo(hrefOf('webhooks'));
  };

  return (
    <section class="panel" aria-label="Changes">
      {rotated !== null && (
        <SecretNote
          key={rotated.secret}
          kind="Secret"
          secret={rotated.secret}
          owner={webhook.url}
          onDone={() => setRotated(null)}
        />
      )}
      <div class="buttons">
        {webhook.enabled ? (
          <button type="button" onClick={() => void change({ enabled: false }, DISABLE)}>
            Disable
          </button>
        ) : (
          <button type="button" class="main" onClick={() => void change({ enabled: true })}>
            Enable
          </button>
        )}
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          Edit
        </button>
        <button type="button" class="danger" onClick={() => void remove()}>
          Delete
        </button>
      </div>
      {isOpen && <WebhookForm webhook={webhook} verb="Save" onSubmit={change} />}
      <div class="fields">
        <NumberForm label="Continue after position" value="" verb="Replay" onSubmit={replay} />
        <NumberForm
          label="Hours with both secrets"
          value={String(OVERLAP_HOURS)}
          verb="Rotate the secret"
          onSubmit={rotate}
        />
      </div>
      <ProblemNote problem={problem} />
      {dialog}
    </section>
  );
}

const DISABLE: Question = {
  title: 'Disable this webhook?',
  detail: 'It keeps its position: once it is enabled again, it sends what was committed meanwhile.',
  verb: 'Disable',
};

function questionOf(after: number, position: number): Question {
  const shown = after.toLocaleString('en');
  if (after > position)
    return {
      title: `Skip the events up to position ${shown}?`,
      detail: 'The receiver never gets those of them that it does not have yet.',
      verb: 'Skip',
    };
  return {
    title: `Send the events after position ${shown} again?`,
    detail: 'The receiver gets them once more, each with the webhook-id that it had.',
    verb: 'Replay',
  };
}
