/** Asks before a change: a modal dialog with the consequence and the verb. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export type Question = { readonly title: string; readonly detail: string; readonly verb: string };
type Asked = Question & { readonly answer: (isConfirmed: boolean) => void };

/** The dialog, to be rendered, and the function that asks and resolves with the answer. */
export function useConfirm(): {
  readonly dialog: VNode | null;
  readonly ask: (question: Question) => Promise<boolean>;
} {
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = (question: Question): Promise<boolean> =>
    new Promise((resolve) => {
      setAsked({
        ...question,
        answer: (isConfirmed) => {
          setAsked(null);
          resolve(isConfirmed);
        },
      });
    });
  return { dialog: asked === null ? null : <ConfirmDialog {...asked} />, ask };
}

const DESTRUCTIVE: ReadonlySet<string> = new Set(['Delete', 'Discard', 'Revoke', 'Suspend']);
const YES = 'yes';

/**
 * Opens with its first picture, so that a key that follows at once reaches it. The browser gives the focus back to the
 * control that asked.
 */
function ConfirmDialog({ title, detail, verb, answer }: Asked) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="confirm-title"
      onClose={(event) => answer(event.currentTarget.returnValue === YES)}
    >
      <h2 id="confirm-title">{title}</h2>
      <p>{detail}</p>
      <form method="dialog" class="buttons">
        <button type="submit">Cancel</button>
        <button type="submit" class={DESTRUCTIVE.has(verb) ? 'main danger' : 'main'} value={YES}>
          {verb}
        </button>
      </form>
    </dialog>
  );
}
