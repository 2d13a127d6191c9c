/** The address of a webhook, and which events it gets. */
import { useRef } from 'preact/hooks';
import { EVENT_TYPES, type EventType } from '../../../../shared/contract/events.js';
import { Field, listOf } from '../parts/basics.js';
import type { Webhook } from './webhook-state.js';

export type Choice = {
  readonly url: string;
  readonly description: string;
  readonly types: EventType[];
  readonly tags: string[];
};

type Props = {
  /** The one to change; absent for a new one. */
  readonly webhook?: Webhook;
  readonly verb: string;
  readonly onSubmit: (choice: Choice) => Promise<void>;
};

export function WebhookForm({ webhook, verb, onSubmit }: Props) {
  /** A second click would make a second webhook, with another secret. */
  const isSending = useRef(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isSending.current) return;
    isSending.current = true;
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const textAt = (name: string): string => String(data.get(name) ?? '').trim();
    const chosen = data.getAll('types');
    void onSubmit({
      url: textAt('url'),
      description: textAt('description'),
      types: EVENT_TYPES.filter((type) => chosen.includes(type)),
      tags: listOf(textAt('tags')),
    }).finally(() => {
      isSending.current = false;
    });
  };
  return (
    <form onSubmit={submit}>
      <Field label="Address" isWide>
        {(id) => (
          <input id={id} name="url" type="url" required placeholder="https://" defaultValue={webhook?.url ?? ''} />
        )}
      </Field>
      <Field label="Description" isWide>
        {(id) => <input id={id} name="description" defaultValue={webhook?.description ?? ''} />}
      </Field>
      <fieldset>
        <legend>Types of events: all when none is chosen</legend>
        {EVENT_TYPES.map((type) => (
          <label key={type}>
            <input type="checkbox" name="types" value={type} defaultChecked={webhook?.types.includes(type) ?? false} />{' '}
            {type}
          </label>
        ))}
      </fieldset>
      <Field
        label="Tags"
        isWide
        hint="Separated by commas: only events of memories with one of them, or with a tag below it."
      >
        {(id) => <input id={id} name="tags" defaultValue={webhook?.tags.join(', ') ?? ''} />}
      </Field>
      <div class="buttons">
        <button type="submit" class="main">
          {verb}
        </button>
      </div>
    </form>
  );
}
