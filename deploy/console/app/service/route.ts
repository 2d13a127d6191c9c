/** The view that is shown, from the hash of the address: `#/recall?query=tea`. */
import { observable } from './observable.js';

export const VIEWS = [
  'overview',
  'recall',
  'memory',
  'browse',
  'entities',
  'graph',
  'live',
  'work',
  'webhooks',
  'keys',
  'tenants',
  'health',
] as const;
/** Without a place in the navigation. */
const FORMS = ['new'] as const;
export type View = (typeof VIEWS)[number] | (typeof FORMS)[number];
export type Parameters = Readonly<Record<string, string>>;
export type Route = { readonly view: View; readonly id: string | null; readonly parameters: Parameters };

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/u, '').split('?', 2);
  const [name, id] = path.split('/');
  return {
    view: [...VIEWS, ...FORMS].find((view) => view === name) ?? 'overview',
    id: id === undefined || id === '' ? null : decode(id),
    parameters: Object.fromEntries(new URLSearchParams(query)),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not an encoded text
  }
}

export const route = observable<Route>(read());
addEventListener('hashchange', () => route.set(read()));

/** Empty values are left out. */
export function hrefOf(view: View, id: string | null = null, parameters: Parameters = {}): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '')).toString();
  return `#/${view}${id === null ? '' : `/${encodeURIComponent(id)}`}${query === '' ? '' : `?${query}`}`;
}

export function goTo(href: string): void {
  if (location.hash === href) route.set(read());
  else location.hash = href;
}

/** Another address of this page, in the place of the present one. */
export function replaceWith(address: string): void {
  history.replaceState(null, '', address);
  route.set(read());
}
