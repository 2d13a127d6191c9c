/** A new secret of a webhook, which the service shows once. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../parts/basics.js';

type Props = { readonly secret: string; readonly url: string; readonly onDone: () => void };

export function SecretNote({ secret, url, onDone }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState('');
  useEffect(() => field.current?.select(), []);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(secret);
      setNote('Copied.');
    } catch {
      // A page by plain HTTP has no clipboard.
      setNote('The browser does not let the page copy it. It is selected: press Ctrl+C, or ⌘C.');
    }
  };
  return (
    <section class="note good" aria-label="The new secret">
      <p>The secret of {url}. It is shown this once: keep it where the receiver verifies signatures.</p>
      <div class="line">
        <Field label="Secret" isWide>
          {(id) => <input id={id} ref={field} class="code" readOnly value={secret} />}
        </Field>
        <button type="button" class="main" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" onClick={onDone}>
          Done
        </button>
      </div>
      <p role="status">{note}</p>
    </section>
  );
}
