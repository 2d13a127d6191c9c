/** Says why a body is not the JSON object that an operation needs. The contract fixes one message for all these mistakes. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Help } from '../../kernel/errors.js';
import { shorten } from '../../kernel/shorten.js';
import { jsonMistake } from './json-mistake.js';

const SEND_JSON = 'Send a JSON object with Content-Type: application/json.';

export function wrongType(mediaType: string): Help {
  const detail =
    mediaType === ''
      ? 'The request has no Content-Type.'
      : `The Content-Type is ${JSON.stringify(shorten(mediaType))}.`;
  return { detail, hint: SEND_JSON };
}

/** Null for a body without compression. */
export function compressedBody({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): Help | null {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  return {
    detail: `The body is compressed (Content-Encoding: ${shorten(encoding)}).`,
    hint: 'Send the body without compression.',
  };
}

export const NOT_UTF8: Help = { detail: 'The body is not UTF-8.', hint: 'Encode the JSON text as UTF-8.' };

/** For a text that is not JSON. */
export function notJson(text: string): Help {
  if (text.trim() === '') return { detail: 'The body is empty.', hint: SEND_JSON };
  return { detail: `The body is not JSON: ${jsonMistake(text)}.`, hint: 'Correct the JSON text.' };
}

/** For JSON that is not an object. */
export function notAnObject(value: unknown): Help {
  const found = Array.isArray(value) ? 'a list' : value === null ? 'null' : NOUNS[typeof value];
  return { detail: `The body is ${found ?? 'another value'}, not an object.`, hint: SEND_JSON };
}

const NOUNS: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false' };
