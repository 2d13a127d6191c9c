/** Conversations with questions about them, from a file, and how they become memories: one for every turn. */
import { readFile } from 'node:fs/promises';
import type { HttpCaller } from '../support/http-caller.js';

/** The shape of the file; dialogues whose questions name the turns that answer them. */
export type Dialogues = {
  readonly categories: Readonly<Record<string, string>>;
  readonly conversations: readonly Conversation[];
};
export type Conversation = {
  readonly id: string;
  readonly turns: readonly {
    readonly id: string;
    readonly timestamp: string;
    readonly speaker: string;
    readonly text: string;
  }[];
  readonly questions: readonly {
    readonly question: string;
    readonly category: number;
    readonly evidence: readonly string[];
  }[];
};

const BATCH = 100;

export async function readDialogues(file: string): Promise<Dialogues> {
  return JSON.parse(await readFile(file, 'utf8')) as Dialogues;
}

/** Adds to `turnOf` the turn that each memory holds, by the memory's id. */
export async function storeConversation(
  target: HttpCaller,
  { id, turns }: Conversation,
  turnOf: Map<string, string>,
): Promise<void> {
  for (let start = 0; start < turns.length; start += BATCH) {
    const batch = turns.slice(start, start + BATCH);
    const memories = batch.map(({ timestamp, speaker, text }) => ({
      content: `${speaker}: ${text}`,
      timestamp,
      tags: [`conversation:${id}`],
    }));
    const { status, body } = await target.request('POST', '/memory/batch', { body: { memories } });
    if (status !== 201) throw new Error(`A batch was answered ${status}: ${JSON.stringify(body)}`);
    batch.forEach((turn, index) => turnOf.set(body.memory_ids[index], turn.id));
  }
}
