/** Counts the running requests of each caller, so that one caller cannot take every slot of the instances. */
import type { IncomingMessage } from 'node:http';

/** More of a token is not compared. nginx compares at most 255 bytes. */
const TOKEN_PREFIX = 200;

/**
 * By header, in the order of their rank, where it has a token. Each form of a token must give the same text. Of a JWT
 * the signature counts, because the tokens of one issuer begin alike.
 */
export const TOKEN_HEADERS = {
  authorization: String.raw`^\s*bearer\s+(?:[\w-]+\.[\w-]+\.)?(?<bearer_token>\S.{0,${TOKEN_PREFIX - 1}})`,
  'x-api-key': String.raw`^\s*(?<key_token>\S.{0,${TOKEN_PREFIX - 1}})`,
} as const;

const PATTERNS = Object.entries(TOKEN_HEADERS).map(([name, pattern]) => [name, new RegExp(pattern, 'iu')] as const);

/**
 * What a gateway knows of a caller: the token in its headers, else its address. A token in the query does not count,
 * because it can be escaped in many forms. An instance refuses a wrong token at once, so it holds no slot.
 */
export function callerOf({ headers, socket }: IncomingMessage): string {
  for (const [name, pattern] of PATTERNS) {
    const [, token] = pattern.exec(String(headers[name] ?? '')) ?? [];
    if (token !== undefined) return token;
  }
  return socket.remoteAddress ?? 'unknown';
}

export interface Callers {
  /** The function to call when the request has ended. Null when the caller has as many requests as it may have. */
  begin(caller: string): (() => void) | null;
}

export function createCallers({ requestsPerCaller }: { readonly requestsPerCaller: number }): Callers {
  const running = new Map<string, number>();
  return {
    begin: (caller) => {
      const count = running.get(caller) ?? 0;
      if (count >= requestsPerCaller) return null;
      running.set(caller, count + 1);
      return () => {
        const left = (running.get(caller) ?? 0) - 1;
        if (left > 0) running.set(caller, left);
        else running.delete(caller);
      };
    },
  };
}
