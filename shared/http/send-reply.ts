/** Sends a reply with its headers: as JSON, as text or as a stream. */
import type { ServerResponse } from 'node:http';
import { mapPaced } from '../kernel/concurrency/paced.js';
import { isRecord } from '../kernel/is-record.js';
import type { Logger } from '../kernel/logger.js';
import { withoutSpan } from '../kernel/tracing/tracing.js';
import type { EdgeContext } from './edge-state.js';
import {
  type BodyReply,
  CODINGS,
  type Reply,
  type ReplySink,
  type RequestContext,
  type StreamReply,
  type TextReply,
} from './handler.js';

export type Sending = Pick<RequestContext, 'endWork'> & {
  readonly logger: Logger;
  /** Aborted when the server begins to stop. */
  readonly stopping: AbortSignal;
};

/** Streamed or as a whole. Calls `onSent` after it, and resolves when everything was written. */
export async function sendReply(
  context: EdgeContext,
  given: Reply,
  { logger, stopping, endWork }: Sending,
): Promise<void> {
  const reply = 'text' in given ? encode(context, given) : given;
  if (reply.onSent !== undefined) callOnceSent(context, reply.onSent, logger);
  if (isUnchanged(context, reply)) writeNotModified(context, reply);
  else if ('stream' in reply) await sendStream(context, reply, { logger, stopping, endWork });
  else if ('text' in reply) writeReply(context, reply);
  else writeJson(context, reply, await jsonOf(reply.body));
}

function callOnceSent(context: EdgeContext, onSent: () => void, logger: Logger): void {
  const { signal, requestId, operation } = context.state;
  context.res.once('finish', () => {
    if (signal.aborted) return;
    try {
      onSent();
    } catch (error) {
      // The response was already sent, so only the log can report this. A throw here would end the process.
      logger.error({ err: error, requestId, operation }, 'onSent handler failed');
    }
  });
}

function writeNotModified(context: EdgeContext, { headers = {} }: Reply): void {
  context.set(headers);
  context.remove('content-encoding'); // describes a body
  context.status = 304;
}

export function writeReply(context: EdgeContext, reply: BodyReply | TextReply): void {
  if (!('text' in reply)) return writeJson(context, reply, JSON.stringify(reply.body));
  context.status = reply.status;
  context.set(reply.headers ?? {});
  context.body = reply.text;
}

/** The smallest form of the text that the client accepts (RFC 9110, section 12.5.3). Each form has its own ETag. */
function encode(context: EdgeContext, reply: TextReply): TextReply {
  const { encoded, headers = {} } = reply;
  if (encoded === undefined) return reply;
  context.vary('Accept-Encoding');
  const coding = CODINGS.find((name) => context.acceptsEncodings(name) === name);
  if (coding === undefined) return reply;
  const etag = headers['ETag']?.replace(/"$/u, `-${coding}"`);
  return {
    ...reply,
    text: encoded[coding],
    headers: { ...headers, 'content-encoding': coding, ...(etag !== undefined && { ETag: etag }) },
  };
}

function writeJson(context: EdgeContext, { status, headers = {} }: BodyReply, json: string): void {
  context.status = status;
  context.set(headers);
  context.body = json;
  context.set('content-type', 'application/json');
}

/** A list with more items is written item by item: 8 MB of events take 60 ms. */
const WHOLE_ITEMS = 50;

/** The text of JSON.stringify. The lists of a reply are its properties. */
export async function jsonOf(body: unknown): Promise<string> {
  if (!isRecord(body) || !Object.values(body).some(isLong)) return JSON.stringify(body);
  const parts: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const text = isLong(value) ? `[${(await mapPaced(value, textOfItem)).join()}]` : JSON.stringify(value);
    if (text !== undefined) parts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${parts.join()}}`;
}

function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > WHOLE_ITEMS;
}

/** An item without a text, such as undefined, is null in a list. */
function textOfItem(item: unknown): string {
  return JSON.stringify(item) ?? 'null';
}

const WEAK_PREFIX = /^W\//u;

/** True when a tag of `If-None-Match`, weak or not, is the ETag of the reply (RFC 9110, section 13.1.2). */
function isUnchanged({ method, req }: EdgeContext, { status, headers }: Reply): boolean {
  const asked = req.headers['if-none-match'];
  const etag = headers?.['ETag'];
  if (asked === undefined || etag === undefined || status !== 200 || (method !== 'GET' && method !== 'HEAD'))
    return false;
  const tags = asked.split(',').map((tag) => tag.trim().replace(WEAK_PREFIX, ''));
  return tags.includes('*') || tags.includes(etag);
}

/** The last text may take this long to be sent; a client that does not read it is then cut. */
const FLUSH_MS = 2_000;

/** A failed stream of events just ends: its client already has the status, and connects again. */
export async function sendStream(
  context: EdgeContext,
  { status, headers = {}, stream, cutOnFailure }: StreamReply,
  { logger, stopping, endWork }: Sending,
): Promise<void> {
  const {
    res,
    state: { signal: gone, requestId, operation },
  } = context;
  context.respond = false; // otherwise Koa would end the response here
  context.status = status;
  context.set(headers);
  res.on('error', (error) => logger.debug({ err: error, requestId }, 'client disconnected from its stream'));
  res.flushHeaders();
  if (context.method !== 'HEAD') {
    await withoutSpan(() => stream(sinkOf(res, { gone, stopping, endWork }))).catch((error: unknown) => {
      logger.error({ err: error, requestId, operation }, 'stream failed');
      if (cutOnFailure) res.destroy();
    });
  }
  await end(res, gone);
}

function sinkOf(
  res: ServerResponse,
  { endWork, ...signals }: Pick<ReplySink, 'gone' | 'stopping'> & Pick<RequestContext, 'endWork'>,
): ReplySink {
  const { gone } = signals;
  return {
    ...signals,
    write: async (piece, timeoutMs) => {
      if (gone.aborted) return 'gone';
      if (res.write(piece)) return 'taken';
      const slow = setTimeout(endWork, SLOW_CLIENT_MS);
      return waitForDrain(res, gone, timeoutMs).finally(() => clearTimeout(slow));
    },
  };
}

/** A client that takes nothing for so long lets other requests work. */
const SLOW_CLIENT_MS = 250;

function waitForDrain(
  res: ServerResponse,
  gone: AbortSignal,
  timeoutMs: number,
): Promise<'taken' | 'stalled' | 'gone'> {
  return new Promise((resolve) => {
    const settle = (outcome: 'taken' | 'stalled' | 'gone') => (): void => {
      clearTimeout(timer);
      res.off('drain', taken);
      gone.removeEventListener('abort', clientGone);
      resolve(outcome);
    };
    const [taken, clientGone] = [settle('taken'), settle('gone')];
    const timer = setTimeout(settle('stalled'), timeoutMs);
    res.once('drain', taken);
    gone.addEventListener('abort', clientGone, { once: true });
  });
}

function end(res: ServerResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted || res.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => res.destroy(), FLUSH_MS);
    res.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    res.end();
  });
}
