/** Sends requests of operations from the table of operations and their examples, with the reply as it was received. */
import type { Example } from '../../../shared/contract/examples/example.js';
import { EXAMPLES } from '../../../shared/contract/examples/examples.js';
import type { Operation } from '../../../shared/contract/operation.js';
import { type OperationName, OPERATIONS } from '../../../shared/contract/operations.js';
import { openStream } from '../clients/event-stream.js';

export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

export function operationOf(name: OperationName): Operation {
  return OPERATIONS[name];
}

/** Without a documented example: dummy values in the path, and an empty body. */
export function exampleOf(name: OperationName): Pick<Example, 'parameters' | 'body'> {
  const { path, body } = operationOf(name);
  const known: Readonly<Partial<Record<OperationName, Example>>> = EXAMPLES;
  const [, , parameter] = /([:*])(\w+)/u.exec(path) ?? [];
  return (
    known[name] ?? {
      ...(parameter !== undefined && { parameters: { [parameter]: 'none' } }),
      ...(body !== undefined && { body: {} }),
    }
  );
}

export type Call = {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** JSON; null without a body. */
  readonly body: string | null;
  readonly isStream: boolean;
};

export function callOf(name: OperationName, { parameters = {}, body } = exampleOf(name)): Call {
  const { method, path, stream = false } = operationOf(name);
  const query = new URLSearchParams();
  let target = path;
  for (const [parameter, value] of Object.entries(parameters)) {
    const place = [`:${parameter}`, `*${parameter}`].find((each) => path.includes(each));
    if (place !== undefined) target = target.replace(place, encodeURIComponent(String(value)));
    else for (const each of [value].flat()) query.append(parameter, String(each));
  }
  const search = query.toString();
  return {
    method,
    path: search === '' ? target : `${target}?${search}`,
    body: body === undefined ? null : JSON.stringify(body),
    isStream: stream,
  };
}

export type RawReply = {
  readonly status: number;
  /** Sorted by name. */
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: Buffer;
};

type Headers = Readonly<Record<string, string>>;

/** `isWhole`: ends a stream, which has no end of its own; default: at its first bytes. */
export async function send(
  url: string,
  { method, path, body, isStream }: Call,
  headers: Headers,
  isWhole: (text: string) => boolean = () => true,
): Promise<RawReply> {
  if (isStream) return sendStream(url, path, headers, isWhole);
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body !== null && { 'content-type': 'application/json' }), ...headers },
    ...(body !== null && { body }),
    redirect: 'manual',
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return { status: reply.status, headers: [...reply.headers].sort(byName), bytes };
}

function sendStream(
  url: string,
  path: string,
  headers: Headers,
  isWhole: (text: string) => boolean,
): Promise<RawReply> {
  return openStream(url, { query: path.slice('/stream'.length), headers }).then(
    (answer) =>
      new Promise((resolve) => {
        let text = '';
        const status = answer.statusCode ?? 0;
        const end = (): void => {
          const all = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
          answer.destroy();
          resolve({ status, headers: all.sort(byName), bytes: Buffer.from(text) });
        };
        answer.once('close', end).on('data', (piece: Buffer) => {
          text += piece.toString();
          if (status === 200 && isWhole(text)) end();
        });
      }),
  );
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}
