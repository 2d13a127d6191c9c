/**
 * What one hostile or careless caller sends, again and again. It runs in a thread of its own, because its bodies would
 * otherwise delay the callers that are measured.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';

/** Sends requests until the signal is aborted; returns how often each status was answered. */
export type Provocation = (address: Address, ended: AbortSignal) => Promise<ReadonlyMap<string, number>>;

export type Address = { readonly url: string; readonly token: string | undefined };

type Sending = (target: HttpCaller, index: number) => Promise<{ readonly status: number }>;

/** A caller that hangs up after this time without an answer. */
const PATIENCE_MS = 50;
const COSTLY_BODY = Buffer.from(`[${'{},'.repeat(10_300_000)}{}]`);

const excludedTags = (count: number, run: number): string =>
  Array.from({ length: count }, (_, index) => `x${run}-${index}`).join(',');

/** Each provocation sends its requests in turn. */
const SENDINGS: Readonly<Record<string, readonly Sending[]>> = {
  'costly text (B1)': [
    ({ request }) => request('GET', '/health', { headers: { 'x-request-id': '}{'.repeat(7_000) } }),
    ({ request }, index) => request('GET', `/recall?query=${'a-'.repeat(20_000)}${index}`),
    ({ request }, index) => request('GET', `/recall?query=a${'-'.repeat(40_000)}a${index}`),
    ({ request }) => request('GET', `/recall?explain=${'{'.repeat(40_000)}&query=x`),
    ({ request }) => request('POST', '/associate', { body: { memory1_id: '}'.repeat(900_000), memory2_id: 'x' } }),
  ],
  'costly filters (B3)': [
    ({ request }, index) => request('GET', `/recall?query=x&exclude_tags=${excludedTags(6_000, index)}`),
    ({ request }, index) => request('GET', `/recall?query=postgres&exclude_tags=${excludedTags(200, index)}`),
    ({ request }, index) =>
      request('GET', `/recall?query=postgres+${index}&exclude_tags=${excludedTags(200, index)}`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
      }),
  ],
  'costly bodies (B4)': [
    ({ request }) => request('POST', '/memory/batch', { raw: COSTLY_BODY }),
    ({ request }) => request('POST', '/memory', { raw: COSTLY_BODY }),
  ],
};

const LONG_TEXT = 'postgres relay deadline '.repeat(170);

/** The costliest requests that the contract allows, for `bench:fairness`: COSTLIEST_AT_A_TIME of them at any time. */
const COSTLIEST = 'costliest requests';
const COSTLIEST_AT_A_TIME = 16;
const COSTLIEST_SENDINGS: readonly Sending[] = [
  ({ request }, index) =>
    request(
      'GET',
      `/recall?${Array.from({ length: 5 }, (_, text) => `queries=${LONG_TEXT}${index}${text}`).join('&')}`,
    ),
  ({ request }) => request('GET', '/recall?query=postgres&expand_relations=true&expand_entities=true&limit=100'),
  ({ request }) => request('GET', '/graph/snapshot?limit=5000'),
  ({ request }, index) =>
    request('POST', '/memory/batch', {
      body: {
        memories: Array.from({ length: 200 }, (_, part) => ({ content: `note ${index} ${part} of a hostile caller` })),
      },
    }),
];

type ThreadInput = { readonly name: string; readonly address: Address };

export const PROVOCATIONS: Readonly<Record<string, Provocation>> = Object.fromEntries(
  Object.keys(SENDINGS).map((name) => [name, inThread(name)]),
);
export const sendCostliest = inThread(COSTLIEST);

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
  const target = createHttpCaller(address.url, address.token);
  const sendings = name === COSTLIEST ? COSTLIEST_SENDINGS : (SENDINGS[name] ?? []);
  let isEnded = false;
  parentPort?.once('message', () => (isEnded = true));
  const answers = new Map<string, number>();
  let next = 0;
  const send = async (): Promise<void> => {
    for (let index = next++; !isEnded; index = next++) {
      const sent = sendings[index % sendings.length]?.(target, index).then(({ status }) => `${status}`);
      const answer = (await sent?.catch(() => null)) ?? 'no answer';
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: name === COSTLIEST ? COSTLIEST_AT_A_TIME : 1 }, send));
  parentPort?.postMessage(answers);
}
