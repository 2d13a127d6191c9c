/** Conversations with questions about them; stores each turn as one memory. */
import { untilEnriched } from '../measuring/background.js';
import type { Target } from '../measuring/run-bench.js';

export type Corpus = {
  /** The name of its file without the ending, or `notes`. */
  readonly name: string;
  readonly conversations: readonly Conversation[];
};
export type Conversation = {
  /** The tag of its memories. It contains the name of the corpus, because two corpora may use the same ids. */
  readonly tag: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
};
export type Turn = {
  /** The message that the turn is a part of; distinct over all corpora. */
  readonly source: string;
  /** The id of that message in the file; null where every turn is a whole message. */
  readonly sourceId: string | null;
  readonly timestamp: string;
  readonly content: string;
  /** What the memory has in addition. Its tags come after the tag of the conversation. */
  readonly fields?: { readonly type: string; readonly tags: readonly string[]; readonly importance: number };
};
/** A question with the sources that answer it, at least one. */
export type Question = { readonly question: string; readonly category: string; readonly evidence: readonly string[] };

/**
 * Every question with its conversation, and with another conversation of the corpus, where nothing fits; null if there
 * is only one.
 */
export function questionsOf<C extends Conversation>(conversations: readonly C[]) {
  return conversations.flatMap((conversation, index) => {
    const next = conversations[(index + 1) % conversations.length];
    const other = next && next.tag !== conversation.tag ? next : null;
    return conversation.questions.map((question) => ({ ...question, conversation, index, other }));
  });
}

const BATCH = 100;

/** Resolves when all memories are indexed and enriched, with the source of each memory by the memory's id. */
export async function storeConversations(
  target: Target,
  conversations: readonly Conversation[],
): Promise<ReadonlyMap<string, string>> {
  const sourceOf = new Map<string, string>();
  for (const { tag, turns } of conversations)
    for (let start = 0; start < turns.length; start += BATCH) {
      const batch = turns.slice(start, start + BATCH);
      const memories = batch.map(({ sourceId, timestamp, content, fields }) => ({
        ...fields,
        content,
        timestamp,
        tags: [tag, ...(fields?.tags ?? [])],
        ...(sourceId === null ? {} : { metadata: { source_id: sourceId } }),
      }));
      const { body } = await target.call('POST', '/memory/batch', { memories });
      batch.forEach(({ source }, index) => sourceOf.set(body.memory_ids[index], source));
    }
  await untilEnriched(target);
  return sourceOf;
}
