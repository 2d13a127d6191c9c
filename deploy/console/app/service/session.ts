/** What this tab remembers: tokens and the colour scheme. The browser forgets it when the tab closes. */
import { observable } from './observable.js';

export type Tokens = { readonly token: string; readonly adminToken: string };
export type Scheme = 'auto' | 'dark' | 'light';

const NAMES = { token: 'palimpsest.token', adminToken: 'palimpsest.admin-token', scheme: 'palimpsest.scheme' } as const;

const read = (name: keyof typeof NAMES): string => sessionStorage.getItem(NAMES[name]) ?? '';

export const tokens = observable<Tokens>({ token: read('token'), adminToken: read('adminToken') });

export function setTokens(given: Tokens): void {
  sessionStorage.setItem(NAMES.token, given.token);
  sessionStorage.setItem(NAMES.adminToken, given.adminToken);
  tokens.set(given);
}

const schemes: readonly Scheme[] = ['auto', 'dark', 'light'];

export const scheme = observable<Scheme>(schemes.find((each) => each === read('scheme')) ?? 'auto');

export function setScheme(given: Scheme): void {
  sessionStorage.setItem(NAMES.scheme, given);
  scheme.set(given);
  showScheme();
}

/** The style sheet follows the attribute; without it, the preference of the browser. */
export function showScheme(): void {
  const chosen = scheme.get();
  if (chosen === 'auto') delete document.documentElement.dataset['scheme'];
  else document.documentElement.dataset['scheme'] = chosen;
}
