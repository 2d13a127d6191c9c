/** A new secret, which the service shows once. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Field, useCopy } from './basics.js';
import { Icon } from './icon.js';

const ADVICE = {
  Key: 'It is shown this once, and never again: store it now where its holder reads it.',
  Secret: 'It is shown this once: keep it where the receiver verifies signatures.',
} as const;

type Props = {
  readonly kind: keyof typeof ADVICE;
  readonly secret: string;
  /** The name of a key, or the address of a webhook. */
  readonly owner: string;
  readonly onDone: () => void;
};

export function SecretNote({ kind, secret, owner, onDone }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const { note, copy } = useCopy();
  const select = (): void => field.current?.select();
  useLayoutEffect(select, []);
  return (
    <section class="note good" aria-label={`The new ${kind.toLowerCase()} of ${owner}`}>
      <p>
        The {kind.toLowerCase()} of {owner}. {ADVICE[kind]}
      </p>
      <div class="line">
        <Field label={kind} isWide>
          {(id) => <input id={id} ref={field} class="code" readOnly value={secret} />}
        </Field>
        <button
          type="button"
          class="main"
          onClick={() => {
            select();
            void copy(secret);
          }}
        >
          <Icon name="copy" /> Copy
        </button>
        <button type="button" onClick={onDone}>
          Done
        </button>
      </div>
      <p role="status">{note}</p>
    </section>
  );
}
