/**
 * OpenID Connect Discovery 1.0: what an issuer publishes about itself. Each answer is limited in time and size, and
 * redirects are not followed.
 */
import { withTimeoutSignal } from '../kernel/concurrency/abort-signals.js';
import { isRecord } from '../kernel/is-record.js';
import { trimTrailing } from '../kernel/validation/trim-characters.js';
import { isLoopbackName } from './loopback.js';

export type AnswerLimits = { readonly answerMs: number; readonly answerBytes: number };
export type Discovery = Readonly<Record<string, unknown>>;

/** Throws unless the document names the same issuer, letter for letter. */
export async function readDiscovery(issuer: string, limits: AnswerLimits): Promise<Discovery> {
  const discovery = await readJson(`${trimTrailing(issuer, '/')}/.well-known/openid-configuration`, limits);
  if (discovery['issuer'] !== issuer)
    throw new Error(`The discovery document is of another issuer, ${JSON.stringify(discovery['issuer'])}`);
  return discovery;
}

/** The address that the document has under this name. Throws unless it is by https, as the issuer is. */
export function addressIn(discovery: Discovery, name: string, issuer: string): string {
  const address = discovery[name];
  if (typeof address !== 'string' || !isSafeAddress(address) || (isHttps(issuer) && !isHttps(address)))
    throw new Error(`${name} is no address by https: ${JSON.stringify(address)}`);
  return address;
}

/** https, or http on this machine. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname));
}

function isHttps(address: string): boolean {
  return new URL(address).protocol === 'https:';
}

export async function readJson(url: string, { answerMs, answerBytes }: AnswerLimits): Promise<Discovery> {
  return withTimeoutSignal(answerMs, [], async (signal) => {
    const response = await fetch(url, { redirect: 'manual', headers: { accept: 'application/json' }, signal });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > answerBytes) throw new Error(`${url} answered with more than ${answerBytes} bytes`);
      chunks.push(chunk);
    }
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (!isRecord(body)) throw new Error(`${url} answered with no JSON object`);
    return body;
  });
}
