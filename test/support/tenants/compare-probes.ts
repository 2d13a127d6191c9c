/** Sends a probe and its absent twin in the same place of the same request, and compares what comes back. */
import type { OperationName } from '../../../shared/contract/operations.js';
import type { Probe } from './holdings.js';
import { createNormalise } from './normalise-reply.js';
import { CANARY } from './same-words.js';
import { type Call, callOf, exampleOf, OPERATION_NAMES, operationOf, type RawReply, send } from './send-operation.js';

/** A request with a place for an id or another name. */
export type Place = {
  readonly title: string;
  readonly operation: OperationName;
  readonly callWith: (value: string) => Call;
};

/** The parameter in the path of each operation that has one. */
export function placesInPaths(): readonly Place[] {
  return OPERATION_NAMES.flatMap((operation) => {
    const [, name] = /[:*](\w+)/u.exec(operationOf(operation).path) ?? [];
    if (name === undefined) return [];
    const { parameters, ...example } = exampleOf(operation);
    return [
      place(operation, `the path of ${operation}`, (value) => ({
        ...example,
        parameters: { ...parameters, [name]: value },
      })),
    ];
  });
}

const NAMES_IN_QUERIES = new Set(['text', 'list', 'repeated', 'position']);
/** Texts that are read as times: the digits of an id may be one. */
const TIMES_IN_QUERIES = new Set(['end', 'since', 'start', 'time_query', 'until']);

/** Each parameter of a query that takes a name. */
export function placesInQueries(): readonly Place[] {
  return OPERATION_NAMES.flatMap((operation) => {
    const { body, parameters = {} } = exampleOf(operation);
    const { path, query = [] } = operationOf(operation);
    const inPath = Object.fromEntries(Object.entries(parameters).filter(([name]) => path.includes(`:${name}`)));
    return query
      .filter(({ kind, name }) => NAMES_IN_QUERIES.has(kind) && !TIMES_IN_QUERIES.has(name))
      .map(({ name }) =>
        place(operation, `${name} of ${operation}`, (value) => ({
          parameters: { ...inPath, [name]: value },
          ...(body !== undefined && { body }),
        })),
      );
  });
}

const NAME_IN_BODY = /"(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|anna-berg)"/gu;

/** All ids and slugs in the body of each example that has any. An import would store a memory with the id. */
export function placesInBodies(): readonly Place[] {
  return OPERATION_NAMES.filter((name) => name !== 'importRecords').flatMap((operation) => {
    const example = exampleOf(operation);
    const text = JSON.stringify(example.body ?? {});
    if (!NAME_IN_BODY.test(text)) return [];
    return [
      place(operation, `the body of ${operation}`, (value) => ({
        ...example,
        body: JSON.parse(text.replaceAll(NAME_IN_BODY, JSON.stringify(value))) as object,
      })),
    ];
  });
}

function place(
  operation: OperationName,
  title: string,
  exampleWith: (value: string) => ReturnType<typeof exampleOf>,
): Place {
  return { operation, title, callWith: (value) => callOf(operation, exampleWith(value)) };
}

export type Compared = {
  readonly title: string;
  readonly operation: OperationName;
  readonly status: number;
  /** The replies, without the probes that they repeat. */
  readonly reply: string;
  readonly replyForAbsent: string;
  /** Whether the reply has a word of the other tenant that the request does not have. */
  readonly leaks: boolean;
};

export async function compare(
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  { operation, title, callWith }: Place,
  { kind, value, absent }: Probe,
): Promise<Compared> {
  const received = await send(url, callWith(value), headers);
  const twin = await send(url, callWith(absent), headers);
  const reply = await withoutProbe(received, value);
  return {
    title: `${kind} in ${title}`,
    operation,
    status: received.status,
    reply,
    replyForAbsent: await withoutProbe(twin, absent),
    leaks: reply.includes(CANARY),
  };
}

/** A reply may repeat a probe as it was sent, as a part of an address, shortened, in lower case, or as its words. */
async function withoutProbe({ bytes, headers, ...reply }: RawReply, probe: string): Promise<string> {
  const beginning = probe.slice(0, SHORTENED_CHARACTERS).replaceAll('.', String.raw`\.`);
  const forms = new RegExp(`${beginning}[\\w.%-]*|${encodeURIComponent(probe)}`, 'giu');
  const without = (text: string): string =>
    text.replaceAll(forms, '<probe>').replaceAll(/("keywords":)\[[^\]]*\]/gu, '$1"<words of the probe>"');
  const shown = headers.map(([name, text]) => [name, without(text)] as const);
  return createNormalise()({ ...reply, headers: shown, bytes: Buffer.from(without(bytes.toString())) });
}

/** A reply shows at least so many characters of a name that it shortens. */
const SHORTENED_CHARACTERS = 30;
