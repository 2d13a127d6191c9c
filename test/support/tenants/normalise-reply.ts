/**
 * Makes replies of two tenants comparable byte by byte: replaces what each tenant has of its own (ids, secrets, the
 * identity of its journal) and what time changes, and leaves every other byte.
 */
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { isRecord } from '../../../shared/kernel/is-record.js';
import type { RawReply } from './send-operation.js';

export type Normalise = (reply: RawReply) => Promise<string>;

/** About the connection, or about the bytes that are compared themselves. */
const OMITTED_HEADERS = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

/** Ids are numbered in the order in which the replies show them. A time counts as one of the run after `begunAt`. */
export function createNormalise(begunAt = Date.now()): Normalise {
  const numbers = new Map<string, number>();
  const numberOf = (id: string): string => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return `<id ${numbers.get(id)}>`;
  };
  const timeOf = (time: string): string => (Date.parse(time) >= begunAt - DAY_MS ? '<time>' : time);
  const dayOf = (day: string): string => (Date.parse(day) >= begunAt - SHOWN_DAYS * DAY_MS ? '<day>' : day);

  return async ({ status, headers, bytes }) => {
    const shown = headers.filter(([name]) => !OMITTED_HEADERS.has(name)).map(([name, value]) => `${name}: ${value}`);
    return maskText([String(status), ...shown, '', await textOf(bytes)].join('\n'))
      .replaceAll(UUID, numberOf)
      .replaceAll(TIME, timeOf)
      .replaceAll(/(?<=")\d{4}-\d\d-\d\d(?=")/gu, dayOf);
  };
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gu;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/gu;

/** All but ids and times, which the position in the replies decides. */
function maskText(text: string): string {
  return (
    text
      .replaceAll(/\bplm_[0-9A-Za-z]{38,}/gu, '<key>')
      .replaceAll(/\bwhsec_[\w+/=-]+/gu, '<secret>')
      .replaceAll(/\b[0-9a-f]{64}\b/gu, '<hash>')
      .replaceAll(/\b[0-9a-f]{8}\.(\d+)\b/gu, '<history>.$1')
      .replaceAll(/("\w*(?:_ms|_seconds|rate_per_second)":)[\d.e-]+/gu, '$1"<time>"')
      .replaceAll(/("last_accessed":)"[^"]*"/gu, '$1"<time>"') // recorded after the reply that accesses it
      .replaceAll(/("uses":)\d+/gu, '$1"<time>"') // written once a minute, with the requests that wait for the tenant
      // How many events a batch had, and when the last heartbeat was saved.
      .replaceAll(/("handled":)\d+/gu, '$1"<time>"')
      .replaceAll(/("status":)"(?:running|stopped|paused|silent)"/gu, '$1"<time>"')
      .replaceAll(/(dur=)[\d.]+/gu, '$1<time>')
      .replaceAll(/(backup-)\d{8}_\d{6}/gu, '$1<time>')
  );
}

/** A text in which two tenants with the same content differ by nothing: for an order without ids. */
function orderOf(text: string): string {
  return maskText(text).replaceAll(UUID, '<id>').replaceAll(TIME, '<time>');
}

function inOrder(texts: readonly string[]): readonly string[] {
  const keyed = texts.map((text) => ({ text, order: orderOf(text) }));
  return keyed.sort((one, other) => (one.order < other.order ? -1 : 1)).map(({ text }) => text);
}

const DAY_MS = 24 * 3_600_000;
/** Lists of the last days move at midnight. They have at most a month. */
const SHOWN_DAYS = 40;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

async function textOf(bytes: Buffer): Promise<string> {
  const isArchive = bytes.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
  return isArchive ? (await entriesOf(bytes)).join('\n') : textOfJson(bytes.toString());
}

/** An archive has its lines in the order of random ids. */
async function entriesOf(archive: Buffer): Promise<readonly string[]> {
  const entries = extract();
  Readable.from([gunzipSync(archive)]).pipe(entries);
  const parts: string[] = [];
  for await (const entry of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const isCompressed = bytes.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
    const text = (isCompressed ? gunzipSync(bytes) : bytes).toString();
    parts.push(`${entry.header.name}:`, ...inOrder(text.split('\n')));
  }
  return parts;
}

/** Lists that the service orders by random ids, or by texts with them. */
const LISTS_BY_ID = new Set(['edges', 'priority_tags', 'relations']);

function textOfJson(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.stringify(JSON.parse(text), (name: string, value: unknown) => {
      if (name === 'next_cursor' && typeof value === 'string') return Buffer.from(value, 'base64url').toString();
      if (hasSteps(value)) return sumsOf(value);
      if (name === 'temporal_insights' && isRecord(value)) return memoriesIn(value);
      if (!LISTS_BY_ID.has(name) || !Array.isArray(value)) return value;
      return inOrder(value.map((item) => JSON.stringify(item))).map((item) => JSON.parse(item) as unknown);
    });
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** The time decides in which hour of `GET /analyze` a memory counts. */
function memoriesIn(hours: Readonly<Record<string, unknown>>): number {
  return Object.values(hours).reduce((sum: number, hour) => sum + Number(isRecord(hour) && hour['count']), 0);
}

/** Counts by time of `GET /activity`. */
type Steps = Readonly<Record<string, readonly (number | null)[]>>;

function hasSteps(value: unknown): value is Steps {
  return isRecord(value) && Array.isArray(value['recalls']);
}

/** The time decides in which step a request counts. */
function sumsOf(steps: Steps): Readonly<Record<string, number>> {
  const counts = Object.entries(steps).filter(([name]) => !name.endsWith('_ms'));
  return Object.fromEntries(
    counts.map(([name, values]) => [name, values.reduce((sum: number, at) => sum + (at ?? 0), 0)]),
  );
}
