/** Reads conversations with questions about them from files, and stores each turn as one memory. */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { untilEnriched } from '../measuring/background.js';
import type { Target } from '../measuring/run-bench.js';

export type Corpus = {
  /** The name of its file, without the ending. */
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
};
/** A question with the sources that answer it, at least one. */
export type Question = { readonly question: string; readonly category: string; readonly evidence: readonly string[] };

/**
 * The content of a file. A long message may be several turns with one `source`; evidence names sources, or turns where
 * there are none.
 */
export type DialogueFile = {
  /** The names of categories that are numbers. */
  readonly categories?: Readonly<Record<string, string>>;
  readonly conversations: readonly {
    readonly id: string;
    readonly turns: readonly {
      readonly id: string;
      readonly source?: string;
      readonly timestamp: string;
      readonly speaker: string;
      readonly text: string;
    }[];
    readonly questions: readonly {
      readonly question: string;
      readonly category: number | string;
      readonly evidence: readonly string[];
    }[];
  }[];
};

export async function readCorpora(files: readonly string[]): Promise<readonly Corpus[]> {
  if (files.length === 0) throw new Error('Name files of conversations after `--`: FILE [FILE ...] [options]');
  const names = files.map((file) => basename(file, extname(file)));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new Error(`Two files are named ${repeated}: rename one, because tags contain the name`);
  return Promise.all(
    files.map(async (file, index) =>
      corpusOf(names[index] ?? '', JSON.parse(await readFile(file, 'utf8')) as DialogueFile),
    ),
  );
}

/** Leaves out questions without evidence. */
export function corpusOf(name: string, { categories = {}, conversations }: DialogueFile): Corpus {
  return {
    name,
    conversations: conversations.map(({ id, turns, questions }) => ({
      tag: `conversation:${name}-${id}`,
      turns: turns.map((turn) => ({
        source: `${name}-${id}/${turn.source ?? turn.id}`,
        sourceId: turn.source ?? null,
        timestamp: turn.timestamp,
        content: `${turn.speaker}: ${turn.text}`,
      })),
      questions: questions
        .filter(({ evidence }) => evidence.length > 0)
        .map(({ question, category, evidence }) => ({
          question,
          category: categories[category] ?? String(category),
          evidence: [...new Set(evidence)].map((source) => `${name}-${id}/${source}`),
        })),
    })),
  };
}

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
      const memories = batch.map(({ sourceId, timestamp, content }) => ({
        content,
        timestamp,
        tags: [tag],
        ...(sourceId === null ? {} : { metadata: { source_id: sourceId } }),
      }));
      const { body } = await target.call('POST', '/memory/batch', { memories });
      batch.forEach(({ source }, index) => sourceOf.set(body.memory_ids[index], source));
    }
  await untilEnriched(target);
  return sourceOf;
}
