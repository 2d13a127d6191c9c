/**
 * Groups memories into sessions, pure: the memories of one scope in the order of time, and of writing where their times
 * are equal, split at gaps of more than 30 minutes.
 */
import type { Memory } from '../../../../shared/contract/memory.js';
import { oncePerObject } from '../../../../shared/kernel/once-per-object.js';
import { wholeTagKey } from '../../../../shared/text/tags.js';
import type { Written } from '../../candidate.js';
import { timeOf } from '../time-of.js';

const SESSION_GAP_MS = 30 * 60_000;

/** One memory: its index in the pool, its time, and its position in the journal. */
export type SessionEntry = { readonly index: number; readonly at: number; readonly position: number };

/**
 * Every memory is in exactly one session. Memories that name no conversation share one scope: what was written within
 * half an hour is mostly about one thing. Asked without tags, recall@10 on conversations that nothing names is 5 points
 * higher than with each memory alone, and as high as with the names.
 */
export function sessionsOf(pool: readonly Written[]): readonly (readonly SessionEntry[])[] {
  const byScope = new Map<string, SessionEntry[]>();
  pool.forEach(({ memory, position }, index) => {
    const scope = scopeOf(memory) ?? 'unnamed';
    const entry = { index, at: timeOf(memory), position };
    const known = byScope.get(scope);
    if (known) known.push(entry);
    else byScope.set(scope, [entry]);
  });
  return [...byScope.values()].flatMap((entries) => splitAtGaps(entries.sort(inOrder)));
}

function inOrder(one: SessionEntry, other: SessionEntry): number {
  return one.at - other.at || one.position - other.position;
}

const SESSION_TAG = /^(?:conversation|session|thread|chat)[:/]./u;
const SESSION_FIELDS = ['session_id', 'conversation_id'] as const;

/** The tag that names the conversation of a memory, in the spelling of whole tags; null when there is none. */
function sessionTagOf({ tags }: Pick<Memory, 'tags'>): string | null {
  return tags.map(wholeTagKey).find((key) => SESSION_TAG.test(key)) ?? null;
}

/** The tag or the metadata field that names the conversation of a memory; null when there is none. */
export const scopeOf = oncePerObject(({ tags, metadata }: Pick<Memory, 'tags' | 'metadata'>): string | null => {
  const tag = sessionTagOf({ tags });
  if (tag !== null) return tag;
  const named = SESSION_FIELDS.map((field) => metadata[field]).find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof named === 'string' ? `id ${named}` : null;
});

function splitAtGaps(entries: readonly SessionEntry[]): readonly (readonly SessionEntry[])[] {
  const sessions: SessionEntry[][] = [];
  for (const entry of entries) {
    const session = sessions.at(-1);
    const last = session?.at(-1);
    if (session && last && entry.at - last.at <= SESSION_GAP_MS) session.push(entry);
    else sessions.push([entry]);
  }
  return sessions;
}
