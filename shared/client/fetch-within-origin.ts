/**
 * Sends a request of the client and follows redirects within the origin of the service. fetch itself would repeat our own token headers at
 * the other origin: after a redirect it removes only `Authorization`.
 */

const REDIRECT_LIMIT = 5;
/** The statuses that keep method and body. The other redirects keep them for a GET alone. */
const KEEPING = [307, 308];
const REDIRECTS = [301, 302, 303, ...KEEPING];

/** Returns a redirect to another origin, or one that would change the method, as the answer. */
export async function fetchWithinOrigin(url: URL, init: RequestInit): Promise<Response> {
  let target = url;
  for (let followed = 0; ; followed += 1) {
    const response = await fetch(target, { ...init, redirect: 'manual' });
    const next = redirectOf(response, target);
    const isKept = KEEPING.includes(response.status) || init.method === 'GET';
    if (next === null || next.origin !== url.origin || !isKept || followed === REDIRECT_LIMIT) return response;
    await response.body?.cancel();
    target = next;
  }
}

/** The address that a redirect names; null for any other answer. */
export function redirectOf({ status, headers }: Response, from: URL): URL | null {
  const location = headers.get('location');
  if (!REDIRECTS.includes(status) || location === null || !URL.canParse(location, from.href)) return null;
  return new URL(location, from);
}
