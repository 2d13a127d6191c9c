/**
 * The sign-in at the issuer, and the renewal of its token: what the tab remembers, and the address of the page. The
 * protocol is in `issuer.ts`, which the browser loads when one of them begins.
 */
import { SIGN_IN_FILE } from '../../../../shared/contract/graph-views/sign-in.js';
import type { Begun } from './issuer.js';
import { observable } from './observable.js';
import { showToast } from './results.js';
import { replaceWith } from './route.js';
import { renewToken, setTokens, storedTokens, type Tokens } from './session.js';

/** The name of the issuer; null where the console takes tokens alone. The page has it from the service. */
export const ISSUER = document.getElementById('console')?.dataset['issuer'] ?? null;

type SignIn = {
  /** On the way to the issuer, or with its answer. */
  readonly state: 'idle' | 'leaving' | 'returning';
  /** Why the last sign-in failed. */
  readonly problem: string;
};

export const signIn = observable<SignIn>({ state: 'idle', problem: '' });

const BEGUN = 'palimpsest.sign-in';
/** The page itself, of the service that serves it. */
const redirectUri = new URL('.', location.href.split(/[?#]/u)[0]).href;
const url = redirectUri + SIGN_IN_FILE;

type Remembered = Begun & { readonly hash: string; readonly isKept: boolean };

const loadIssuer = () =>
  import('./issuer.js').catch(() => {
    throw new Error('The sign-in could not be loaded: load the page again.');
  });

/** Leaves the page for the issuer. `isKept` as for `setTokens`. */
export async function beginSignIn(isKept: boolean): Promise<void> {
  signIn.set({ state: 'leaving', problem: '' });
  try {
    const { begin, readSignIn } = await loadIssuer();
    const { url: address, begun } = await begin(await readSignIn(url), redirectUri);
    const remembered: Remembered = { ...begun, hash: location.hash, isKept };
    sessionStorage.setItem(BEGUN, JSON.stringify(remembered));
    addEventListener('pageshow', () => signIn.set({ state: 'idle', problem: '' }), { once: true }); // on the way back
    location.assign(address);
  } catch (error) {
    signIn.set({ state: 'idle', problem: (error as Error).message });
  }
}

/** If the address has an answer of an issuer, removes it there at once, and signs in. */
export function finishSignIn(): void {
  const query = new URLSearchParams(location.search);
  if (!['state', 'code', 'error'].some((name) => query.has(name))) return;
  // Written by `beginSignIn`.
  const remembered = JSON.parse(sessionStorage.getItem(BEGUN) ?? 'null') as Remembered | null;
  sessionStorage.removeItem(BEGUN); // an answer has one attempt
  replaceWith(location.pathname + (remembered?.hash ?? location.hash));
  signIn.set({ state: 'returning', problem: '' });
  loadIssuer()
    .then(({ redeem }) => redeem(query, remembered, { redirectUri, url }))
    .then(
      ({ token, refreshToken }) => {
        const session = JSON.stringify({ issuer: remembered?.issuer, refreshToken });
        setTokens({ token, adminToken: '', session }, remembered?.isKept === true);
        signIn.set({ state: 'idle', problem: '' });
        showToast('Signed in.');
      },
      (error: Error) => signIn.set({ state: 'idle', problem: error.message }),
    );
}

type Renewal = 'renewed' | 'ended' | 'away';
let renewing: Promise<Renewal> | null = null;

/**
 * Gets a new token after the service refused the one that was sent. `ended`: there is none, so its user must sign in
 * again. `away`: the issuer does not answer. Calls share an attempt.
 */
export async function renew(sent: Tokens): Promise<Renewal> {
  if (sent.session === '') return 'ended';
  // A refresh token works once: tabs take turns, and the next one finds the new token.
  renewing ??= navigator.locks
    .request('palimpsest.renew', () => renewInTurn(sent))
    .finally(() => {
      renewing = null;
    });
  return renewing;
}

async function renewInTurn(sent: Tokens): Promise<Renewal> {
  const { token, session } = storedTokens();
  if (token !== sent.token) return token === '' ? 'ended' : 'renewed';
  // Written by `finishSignIn`, or below.
  const { issuer, refreshToken } = JSON.parse(session) as { issuer: string; refreshToken: string | null };
  if (refreshToken === null) return 'ended';
  try {
    const { refresh } = await loadIssuer();
    const issued = await refresh(refreshToken, issuer, url);
    if (storedTokens().token !== sent.token) return 'ended'; // signed out meanwhile
    renewToken(issued.token, JSON.stringify({ issuer, refreshToken: issued.refreshToken }));
    return 'renewed';
  } catch (error) {
    return (error as { readonly isRefusal?: boolean }).isRefusal === true ? 'ended' : 'away';
  }
}
