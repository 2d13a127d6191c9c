/** Memories as they followed each other, pure: those of one scope, in the order of time, taken apart where nothing happened for a while. */
import type { Memory } from '../../../shared/contract/memory.js';
import { wholeTagKey } from '../../../shared/text/tags.js';

const SESSION_GAP_MS = 30 * 60_000;

/** One memory's place: which of the pool it is, and when it was. */
export type Place = { readonly index: number; readonly at: number };

/**
 * Each session in the order of time; every memory is in one. Where tags narrow the request, what has no closer scope shares that one,
 * else it is a session by itself.
 */
export function sessionsOf(pool: readonly Memory[], isScoped: boolean): readonly (readonly Place[])[] {
  const byScope = new Map<string, Place[]>();
  pool.forEach((memory, index) => {
    const scope = scopeOf(memory) ?? (isScoped ? 'request' : `alone ${memory.id}`);
    const place = { index, at: Date.parse(memory.timestamp) };
    const known = byScope.get(scope);
    if (known) known.push(place);
    else byScope.set(scope, [place]);
  });
  return [...byScope.values()].flatMap((places) => splitAtGaps(places.sort((one, other) => one.at - other.at)));
}

const SESSION_TAG = /^(?:conversation|session|thread|chat)[:/]./u;
const SESSION_FIELDS = ['session_id', 'conversation_id'] as const;

/** The tag or the field that names the conversation a memory comes from; null when nothing does. */
export function scopeOf({ tags, metadata }: Pick<Memory, 'tags' | 'metadata'>): string | null {
  const tag = tags.map(wholeTagKey).find((key) => SESSION_TAG.test(key));
  if (tag !== undefined) return tag;
  const named = SESSION_FIELDS.map((field) => metadata[field]).find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof named === 'string' ? `id ${named}` : null;
}

function splitAtGaps(places: readonly Place[]): readonly (readonly Place[])[] {
  const sessions: Place[][] = [];
  for (const place of places) {
    const session = sessions.at(-1);
    const last = session?.at(-1);
    if (session && last && place.at - last.at <= SESSION_GAP_MS) session.push(place);
    else sessions.push([place]);
  }
  return sessions;
}
