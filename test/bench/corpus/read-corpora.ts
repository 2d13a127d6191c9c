/** Reads conversations with questions about them from files, or generates them. */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Corpus } from './dialogues.js';
import { notesCorpus } from './notes/notes.js';

/** The word `notes` instead of a file is the generated corpus. */
export async function readCorpora(files: readonly string[]): Promise<readonly Corpus[]> {
  if (files.length === 0)
    throw new Error('Name files of conversations after `--`: FILE [FILE ...] [options]; `notes` is generated');
  const names = files.map((file) => basename(file, extname(file)));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new Error(`Two files are named ${repeated}: rename one, because tags contain the name`);
  return Promise.all(
    files.map(async (file, index) =>
      file === GENERATED
        ? notesCorpus()
        : corpusOf(names[index] ?? '', JSON.parse(await readFile(file, 'utf8')) as DialogueFile),
    ),
  );
}

const GENERATED = 'notes';

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
