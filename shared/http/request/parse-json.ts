/**
 * Parses the JSON text of a body. The longest list of a large body is parsed part by part, so that other requests are
 * answered between two parts: JSON.parse alone takes 200 ms for 31 MB.
 */
import { randomUUID } from 'node:crypto';
import { mapPaced } from '../../kernel/concurrency/paced.js';
import { createJsonScan, type JsonLimits, mayBeUnstorable, type OuterList, rejectUnstorable } from './json-checks.js';
import { piecesOf } from './read-bytes.js';

/** The limit that the text exceeds, and its longest list. */
export async function measureJson(
  limits: JsonLimits,
  bytes: Uint8Array,
): Promise<{ readonly excess: keyof JsonLimits | null; readonly list: OuterList | null }> {
  const scan = createJsonScan(limits, bytes);
  let excess: keyof JsonLimits | null = null;
  let end = 0;
  await mapPaced(piecesOf(bytes), ({ length }) => (excess ??= scan.scanUntil((end += length))));
  return { excess, list: scan.longestList() };
}

/** A text with a mistake, and the position in the body at which it begins: line and column count from 1. */
export type MistakenText = { readonly text: string; readonly line?: number; readonly column?: number };

/** `isSuspicious`: some value may be one that no database can store. */
export type ParsedJson =
  { readonly value: unknown; readonly isSuspicious: boolean } | { readonly mistake: MistakenText };

/** The bytes must be UTF-8. `list`: from `measureJson` of these bytes. */
export async function parseJson(bytes: Buffer, list: OuterList | null): Promise<ParsedJson> {
  if (list !== null && list.commas.length > 0) return parseInParts(bytes, list);
  const text = decode(bytes);
  const value = parseText(text);
  return value === undefined ? { mistake: { text } } : { value, isSuspicious: mayBeUnstorable(text) };
}

async function parseInParts(bytes: Buffer, list: OuterList): Promise<ParsedJson> {
  const head = decode(bytes.subarray(0, list.open));
  if (parseText(`${head}0}`) === undefined) return { mistake: { text: decode(bytes.subarray(0, list.open + 1)) } };
  const parts = partsOf(list);
  let isSuspicious = false;
  const items = await mapPaced(parts, ({ from, end }) => {
    const text = `[${bytes.toString('utf8', from, end)}]`;
    isSuspicious ||= mayBeUnstorable(text);
    return parseText(text) as unknown[] | undefined;
  });
  // A part without an item has a comma too many before or after it.
  const wrong = items.findIndex((part) => part === undefined || part.length === 0);
  if (wrong !== -1) return { mistake: mistakeIn(bytes, parts[wrong] ?? { from: list.open + 1, end: list.close }) };
  const placeholder = randomUUID();
  const rest = `${head}"${placeholder}"${bytes.toString('utf8', list.close + 1)}`;
  const value = bytes[list.close] === CLOSE_LIST ? parseText(rest) : undefined;
  if (value === undefined) return { mistake: mistakeIn(bytes, { from: list.close, end: bytes.length }) };
  return {
    value: withList(value as object, placeholder, items.flat()),
    isSuspicious: isSuspicious || mayBeUnstorable(rest),
  };
}

const CLOSE_LIST = 0x5d;

type Part = { readonly from: number; readonly end: number };

function partsOf({ open, close, commas }: OuterList): readonly Part[] {
  return [open, ...commas].map((before, index) => ({ from: before + 1, end: commas[index] ?? close }));
}

/** A name that occurs twice has its last value: then the list may be gone. */
function withList(body: object, placeholder: string, items: readonly unknown[]): object {
  const [name] = Object.entries(body).find(([, value]) => value === placeholder) ?? [];
  // An assignment to `__proto__` would set no property.
  if (name !== undefined)
    Object.defineProperty(body, name, { value: items, writable: true, enumerable: true, configurable: true });
  return body;
}

/** Bytes after a part that a message about it may show. */
const SHOWN_BYTES = 16;

/** The part in an object and a list of its own, after an item if it is not the first. */
function mistakeIn(bytes: Buffer, { from, end }: Part): MistakenText {
  const begin = BEGINS[String.fromCharCode(bytes[from - 1] ?? 0)] ?? '{"":[0';
  const line = lineFeeds(bytes, from) + 1;
  const column = bytes.toString('utf8', bytes.lastIndexOf('\n', from - 1) + 1, from).length + 1;
  return {
    text: `${begin}${bytes.toString('utf8', from, end + SHOWN_BYTES)}`,
    line,
    column: column - begin.length,
  };
}

/** By the character before the part. */
const BEGINS: Readonly<Record<string, string>> = { '[': '{"":[', ',': '{"":[0,' };

function lineFeeds(bytes: Buffer, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf('\n'); at !== -1 && at < end; at = bytes.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Without a byte order mark. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Undefined when the text is not JSON. */
function parseText(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Throws a ValidationError that names the path of a value that no database can store. */
export async function rejectUnstorableBody(body: object): Promise<void> {
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    rejectUnstorable({ [name]: null });
    if (Array.isArray(value)) await mapPaced(value, (item, index) => rejectUnstorable(item, [name, index]));
    else rejectUnstorable(value, [name]);
  }
}
