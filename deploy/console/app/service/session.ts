/**
 * What the browser remembers: tokens until the tab closes, or until the user signs out when the user wants to keep
 * them; and the colour scheme of the tab.
 */
import { ADMIN_REFUSED } from '../../../../shared/contract/operation.js';
import { observable } from './observable.js';
import { showToast } from './results.js';

export type Tokens = {
  readonly token: string;
  readonly adminToken: string;
  /** What `sign-in.ts` remembers of the sign-in that gave the token; empty for one that was entered. */
  readonly session: string;
};
export type Scheme = 'auto' | 'dark' | 'light';

const NAMES = {
  token: 'palimpsest.token',
  adminToken: 'palimpsest.admin-token',
  session: 'palimpsest.session',
} as const;
/** Other tabs notice a new token, and then find what belongs to it. */
const EACH = ['session', 'adminToken', 'token'] as const;
const SCHEME = 'palimpsest.scheme';
const NONE: Tokens = { token: '', adminToken: '', session: '' };

const inside = (storage: Storage): Tokens => ({
  token: storage.getItem(NAMES.token) ?? '',
  adminToken: storage.getItem(NAMES.adminToken) ?? '',
  session: storage.getItem(NAMES.session) ?? '',
});

/** Those of the tab come before those of the browser. */
export function storedTokens(): Tokens {
  const [own, kept] = [inside(sessionStorage), inside(localStorage)];
  const { token, session } = own.token === '' ? kept : own;
  return { token, session, adminToken: own.adminToken === '' ? kept.adminToken : own.adminToken };
}

export const tokens = observable<Tokens>(storedTokens());

/** Whether the browser has a token that outlives the tab. */
export function areKept(): boolean {
  const { token, adminToken } = inside(localStorage);
  return token !== '' || adminToken !== '';
}

/** `isKept`: for all tabs of the browser, until the user signs out. Otherwise for this tab. */
export function setTokens(given: Tokens, isKept: boolean): void {
  for (const name of EACH) {
    const [chosen, other] = isKept ? [localStorage, sessionStorage] : [sessionStorage, localStorage];
    other.removeItem(NAMES[name]);
    if (given[name] === '') chosen.removeItem(NAMES[name]);
    else chosen.setItem(NAMES[name], given[name]);
  }
  tokens.set(given);
}

/** Takes the place of a token of the same sign-in, where that one is. No view reads again. */
export function renewToken(token: string, session: string): void {
  const storage = inside(sessionStorage).token === '' ? localStorage : sessionStorage;
  storage.setItem(NAMES.session, session);
  storage.setItem(NAMES.token, token);
  tokens.replace(storedTokens());
}

/** Rises each time the tokens are removed: nothing that they showed stays on the page. */
export const signOuts = observable(0);

/** In each tab that used the kept tokens. */
export function signOut(): void {
  setTokens(NONE, true);
  signOuts.set(signOuts.get() + 1);
  showToast('Signed out.');
}

/** Removes a kept token that the service refuses with 401: it was revoked, or has expired. The tab still shows why. */
export function forgetRefused(message: string, sent: Tokens): void {
  const name = message === ADMIN_REFUSED ? 'adminToken' : 'token';
  if (sent.session !== '' && name === 'token') return endSession(sent);
  if (sent[name] === '' || inside(localStorage)[name] !== sent[name]) return;
  localStorage.removeItem(NAMES[name]);
  showToast('The service refuses the kept token. It is removed from this browser.', 'note');
}

/** Its user signs in again. */
function endSession({ token }: Tokens): void {
  const storages = [sessionStorage, localStorage].filter((storage) => inside(storage).token === token);
  if (storages.length === 0) return; // another call has ended it
  for (const storage of storages) for (const name of EACH) storage.removeItem(NAMES[name]);
  tokens.set(storedTokens());
  showToast('The sign-in has ended.', 'note');
}

// Of another tab.
addEventListener('storage', ({ key }) => {
  if (key !== NAMES.token && key !== NAMES.adminToken && key !== null) return;
  tokens.set(storedTokens());
  if (tokens.get().token === '') signOuts.set(signOuts.get() + 1);
});

const schemes: readonly Scheme[] = ['auto', 'dark', 'light'];

export const scheme = observable<Scheme>(schemes.find((each) => each === sessionStorage.getItem(SCHEME)) ?? 'auto');

export function setScheme(given: Scheme): void {
  sessionStorage.setItem(SCHEME, given);
  scheme.set(given);
  showScheme();
}

/** The style sheet follows the attribute; without it, the preference of the browser. */
export function showScheme(): void {
  const chosen = scheme.get();
  if (chosen === 'auto') delete document.documentElement.dataset['scheme'];
  else document.documentElement.dataset['scheme'] = chosen;
}
