/** What stands in a text like a name and is a piece of a program or of its markup. */
import { isKnownTool } from './names/known-tools.js';

export function looksLikeCode(name: string): boolean {
  if (isKnownTool(name.toLowerCase())) return false;
  return MARKUP.test(name) || CONSTANT.test(name) || CLASS_NAME.test(name) || FAILURE.test(name) || name.endsWith(':');
}

const MARKUP = /^[[\](){}<>*_#|~"'`\\/@$%-]/u;
/** `MAX_RETRIES`. */
const CONSTANT = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/u;
const CLASS_SUFFIXES =
  `Handler Service Manager Controller Factory Provider Repository Adapter Wrapper Builder Client Error Exception Config Props Utils Helper
  Middleware Router Context Component Test`.split(/\s+/u);
const CLASS_NAME = new RegExp(String.raw`\p{Ll}(?:${CLASS_SUFFIXES.join('|')})$`, 'u');
const FAILURES = [
  'HTTP',
  'Internal Server',
  'Bad Gateway',
  'Bad Request',
  'Not Found',
  'Unauthorized',
  'Forbidden',
  'Gateway Timeout',
  'Service Unavailable',
  'Connection (?:Refused|Reset|Timeout)',
];
const FAILURE = new RegExp(String.raw`^(?:${FAILURES.join('|')})\b`, 'iu');
