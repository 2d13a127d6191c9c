/** The name of a new key, what it may do, how often, and when it ends. */
import type { CallOf } from '../../../../shared/client/client.js';
import { KEY_NAME_LIMIT, KEY_REQUESTS_PER_MINUTE_LIMIT } from '../../../../shared/contract/limits.js';
import { type Scope, SCOPE_NAMES, SCOPES } from '../../../../shared/contract/scopes.js';
import { Field } from '../parts/basics.js';

export type Choice = NonNullable<CallOf<'createKey'>['body']>;

type Props = {
  readonly onSubmit: (choice: Choice) => Promise<void>;
  /** Those to choose from. */
  readonly scopes?: readonly Scope[];
};

export function KeyForm({ onSubmit, scopes = SCOPE_NAMES }: Props) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const textAt = (name: string): string => String(data.get(name) ?? '').trim();
    const chosen = data.getAll('scopes');
    void onSubmit({
      name: textAt('name'),
      scopes: scopes.filter((scope) => chosen.includes(scope)),
      ...(textAt('tag') !== '' && { tag: textAt('tag') }),
      ...(textAt('rate') !== '' && { requests_per_minute: Number(textAt('rate')) }),
      ...(textAt('expires') !== '' && { expires_at: textAt('expires') }),
    });
  };
  return (
    <form onSubmit={submit}>
      <div class="fields">
        <Field label="Name" isWide hint="Of its holder, in events and logs: letters, digits and . _ @ -">
          {(id) => <input id={id} name="name" required maxLength={KEY_NAME_LIMIT} autocomplete="off" />}
        </Field>
        <Field label="Tag" hint="It sees and changes only memories with this tag. Empty: all.">
          {(id) => <input id={id} name="tag" autocomplete="off" />}
        </Field>
        <Field label="Requests per minute" hint="Empty: no limit.">
          {(id) => <input id={id} name="rate" type="number" min={1} max={KEY_REQUESTS_PER_MINUTE_LIMIT} />}
        </Field>
        <Field label="Expires" hint="At 00:00 UTC of that day. Empty: never.">
          {(id) => <input id={id} name="expires" type="date" />}
        </Field>
      </div>
      <fieldset class="rows">
        <legend>What it may do</legend>
        {scopes.map((scope) => (
          <label key={scope}>
            <input type="checkbox" name="scopes" value={scope} /> {scope} <small>{SCOPES[scope]}</small>
          </label>
        ))}
      </fieldset>
      <div class="buttons">
        <button type="submit" class="main">
          Make the key
        </button>
      </div>
    </form>
  );
}
