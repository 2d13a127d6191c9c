/** Builds the HTTP request of a call. */
import type { Operation } from '../contract/operation.js';
import { trimTrailing } from '../kernel/validation/trim-characters.js';
import type { ClientOptions } from './client.js';

export type AnyCall = {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
};

export function buildRequest(
  operation: Operation,
  call: AnyCall,
  options: ClientOptions,
): { readonly url: URL; readonly init: RequestInit } {
  return {
    url: urlOf(operation, call, options.baseUrl),
    init: {
      method: operation.method,
      headers: headersOf(call, options),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    },
  };
}

function urlOf({ path }: Operation, { params = {}, query = {} }: AnyCall, baseUrl: string): URL {
  const filled = path.replace(/:(\w+)/gu, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
  const url = new URL(trimTrailing(baseUrl, '/') + filled);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
      url.searchParams.append(name, String(item));
  }
  return url;
}

function headersOf(
  { idempotencyKey, ifMatch }: AnyCall,
  { token, adminToken, internalToken, userAgent, traceparent = () => null }: ClientOptions,
): Record<string, string> {
  const cause = traceparent();
  return {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(adminToken === undefined ? {} : { 'X-Admin-Token': adminToken }),
    ...(internalToken === undefined ? {} : { 'X-Internal-Token': internalToken }),
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
    ...(cause === null ? {} : { traceparent: cause }),
  };
}
