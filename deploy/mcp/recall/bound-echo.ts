/** What an answer repeats of its request and says of itself has no size of its own limit: long texts and lists are shown in part. Pure. */
import { clip } from './clip.js';

const TEXT_CHARACTERS = 256;
const LIST_ITEMS = 20;

export function boundEcho(about: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(about).map(([name, value]) => [name, bound(value)]));
}

function bound(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, TEXT_CHARACTERS);
  if (Array.isArray(value)) return value.slice(0, LIST_ITEMS).map(bound);
  return typeof value === 'object' && value !== null ? boundEcho(value as Readonly<Record<string, unknown>>) : value;
}
