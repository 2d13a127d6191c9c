/**
 * The names and addresses of this machine, and the check that keeps web pages out of a service without a token. A page
 * can send requests to local servers, and it can resolve its own name to 127.0.0.1 (DNS rebinding). The browser sends
 * the page's name in Host and Origin.
 */
import { ForbiddenError } from '../kernel/errors.js';
import type { EdgeMiddleware } from './edge-state.js';

/** As `LISTEN_HOST`: 127.0.0.1 and, where the machine has IPv6, ::1. */
export const LOOPBACK = 'localhost';

const LOOPBACK_NAMES = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/iu;
const LOOPBACK_ADDRESSES = /^(?:::ffff:)?127\.|^::1$/u;

export function isLoopbackName(name: string): boolean {
  return LOOPBACK_NAMES.test(name);
}

export function isLoopbackAddress(address: string): boolean {
  return LOOPBACK_ADDRESSES.test(address);
}

/** False for `null`, the origin of files and of sandboxed pages. */
export function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackName(new URL(origin).hostname);
}

/** The name in a Host header, without its port. */
export function hostNameOf(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/:\d{1,5}$/u, '');
}

export const HOW_TO_OPEN = 'set SERVICE_API_TOKEN, or ALLOW_ANONYMOUS=true to open it to every caller';

/** For stdout at the start; blank for an API that answers other machines. */
export function accessNote({ isLoopbackOnly }: { readonly isLoopbackOnly: boolean }): string {
  return isLoopbackOnly ? `It has no token, so it answers this machine alone: ${HOW_TO_OPEN}\n` : '';
}

/** Rejects foreign Hosts and Origins with 403. `*` counts only for a service with a token. */
export function requireLoopback(allowedOrigins: readonly string[]): EdgeMiddleware {
  return async ({ req: { headers } }, next) => {
    const { host = '', origin } = headers;
    if (!isLoopbackName(hostNameOf(host)))
      throw new ForbiddenError(
        `The Host header is not a name of this machine, and the API has no token: use localhost, or ${HOW_TO_OPEN}`,
      );
    if (origin !== undefined && !isLoopbackOrigin(origin) && !allowedOrigins.includes(origin))
      throw new ForbiddenError(
        `Pages of this origin may not use an API without a token: add the origin to VIEWER_ALLOWED_ORIGINS, or ${HOW_TO_OPEN}`,
      );
    await next();
  };
}
