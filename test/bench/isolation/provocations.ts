/**
 * What one hostile or careless caller sends, again and again, with one request at a time. It runs in a thread of its own, because its bodies
 * would otherwise delay the callers that are measured.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';

/** Sends one request after the other until the signal is aborted; returns how often each status was answered. */
export type Provocation = (address: Address, ended: AbortSignal) => Promise<ReadonlyMap<string, number>>;

export type Address = { readonly url: string; readonly token: string | undefined };

type Sending = (target: HttpCaller, index: number) => Promise<{ readonly status: number }>;

/** A caller that hangs up after this time without an answer. */
const PATIENCE_MS = 50;
const COSTLY_BODY = Buffer.from(`[${'{},'.repeat(10_300_000)}{}]`);

const excludedTags = (count: number, run: number): string =>
  Array.from({ length: count }, (_, index) => `x${run}-${index}`).join(',');

const SENDINGS: Readonly<Record<string, Sending>> = {
  'costly text (B1)': (target, index) =>
    [
      () => target.request('GET', '/health', { headers: { 'x-request-id': '}{'.repeat(7_000) } }),
      () => target.request('GET', `/recall?query=${'a-'.repeat(20_000)}${index}`),
      () => target.request('GET', `/recall?query=a${'-'.repeat(40_000)}a${index}`),
      () => target.request('GET', `/recall?explain=${'{'.repeat(40_000)}&query=x`),
      () => target.request('POST', '/associate', { body: { memory1_id: '}'.repeat(900_000), memory2_id: 'x' } }),
    ][index % 5]?.() ?? Promise.reject(new RangeError('The index is not below 5')),
  'costly filters (B3)': (target, index) =>
    [
      () => target.request('GET', `/recall?query=x&exclude_tags=${excludedTags(6_000, index)}`),
      () => target.request('GET', `/recall?query=postgres&exclude_tags=${excludedTags(200, index)}`),
      () =>
        target.request('GET', `/recall?query=postgres+${index}&exclude_tags=${excludedTags(200, index)}`, {
          signal: AbortSignal.timeout(PATIENCE_MS),
        }),
    ][index % 3]?.() ?? Promise.reject(new RangeError('The index is not below 3')),
  'costly bodies (B4)': (target, index) =>
    target.request('POST', index % 2 === 0 ? '/memory/batch' : '/memory', { raw: COSTLY_BODY }),
};

export const PROVOCATIONS: Readonly<Record<string, Provocation>> = Object.fromEntries(
  Object.keys(SENDINGS).map((name) => [name, inThread(name)]),
);

type ThreadInput = { readonly name: string; readonly address: Address };

function inThread(name: string): Provocation {
  return async ({ url, token }, ended) => {
    const input: ThreadInput = { name, address: { url, token } };
    const worker = new Worker(new URL(import.meta.url), { workerData: input });
    ended.addEventListener('abort', () => worker.postMessage('end'));
    return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  };
}

if (!isMainThread) {
  const { name, address } = workerData as ThreadInput;
  const end = new AbortController();
  parentPort?.once('message', () => end.abort());
  parentPort?.postMessage(await sendUntil(end.signal, createHttpCaller(address.url, address.token), SENDINGS[name]));
}

async function sendUntil(
  ended: AbortSignal,
  target: HttpCaller,
  send: Sending = () => Promise.reject(new RangeError('There is no such provocation')),
): Promise<ReadonlyMap<string, number>> {
  const answers = new Map<string, number>();
  for (let index = 0; !ended.aborted; index += 1) {
    const answer = await send(target, index).then(
      ({ status }) => `${status}`,
      () => 'no answer',
    );
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  }
  return answers;
}
