/** The dialog of the tokens: they are entered, or the issuer gives one to its user. */
import { useLayoutEffect } from 'preact/hooks';
import { useObservable } from '../service/observable.js';
import { areKept, setTokens, signOut, tokens } from '../service/session.js';
import { beginSignIn, ISSUER, signIn } from '../service/sign-in.js';
import { ACCESS_DIALOG, Field, openAccess } from './basics.js';

export function AccessDialog() {
  const given = useObservable(tokens);
  const isSignedIn = given.session !== '';
  return (
    <dialog id={ACCESS_DIALOG} aria-labelledby="access-title">
      <h2 id="access-title">Tokens</h2>
      <form method="dialog" onSubmit={submit}>
        {ISSUER !== null && <SignIn issuer={ISSUER} isSignedIn={isSignedIn} />}
        {!isSignedIn && (
          <>
            <Field label="API token or key" isWide hint="Sent with each request. This tab forgets it when it closes.">
              {(id) => <input id={id} name="token" type="password" autocomplete="off" defaultValue={given.token} />}
            </Field>
            <Field label="Admin token" isWide hint="For work, webhooks, keys, tenants and imports. A key needs none.">
              {(id) => (
                <input id={id} name="admin" type="password" autocomplete="off" defaultValue={given.adminToken} />
              )}
            </Field>
          </>
        )}
        <label class="option">
          <input name="keep" type="checkbox" defaultChecked={areKept()} /> Keep them in this browser until I sign out
        </label>
        <div class="buttons">
          {!isSignedIn && (
            <button type="submit" class="main">
              Use
            </button>
          )}
          {(given.token !== '' || given.adminToken !== '') && (
            <button type="button" class="danger" onClick={leave}>
              Sign out
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
}

/** Opens the dialog when a sign-in failed. */
function SignIn({ issuer, isSignedIn }: { readonly issuer: string; readonly isSignedIn: boolean }) {
  const { state, problem } = useObservable(signIn);
  useLayoutEffect(() => {
    if (problem !== '') openAccess();
  }, [problem]);
  return (
    <>
      <p>
        <button type="button" class="main" disabled={state !== 'idle'} onClick={begin}>
          Sign in{isSignedIn && ' again'} at {issuer}
        </button>
      </p>
      {problem !== '' && (
        <div class="note problem" role="alert" dir="auto">
          {problem}
        </div>
      )}
    </>
  );
}

function begin(event: Event): void {
  const { form } = event.currentTarget as HTMLButtonElement;
  void beginSignIn(new FormData(form ?? undefined).has('keep'));
}

function submit(event: SubmitEvent): void {
  const data = new FormData(event.currentTarget as HTMLFormElement);
  const textAt = (name: string): string => String(data.get(name) ?? '').trim();
  setTokens({ token: textAt('token'), adminToken: textAt('admin'), session: '' }, data.has('keep'));
}

function leave(event: Event): void {
  signOut();
  (event.currentTarget as HTMLElement).closest('dialog')?.close();
}
