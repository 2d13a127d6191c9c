/** Reads conversations with questions about them from a file, and stores each turn as one memory. */
import { readFile } from 'node:fs/promises';
import type { HttpCaller } from '../../support/clients/http-caller.js';

/** The content of the file. Each question names the turns that answer it. */
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

/** Adds to `turnOf` the turn of each stored memory, by the memory's id. */
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
    if (status !== 201) throw new Error(`POST /memory/batch answered ${status}: ${JSON.stringify(body)}`);
    batch.forEach((turn, index) => turnOf.set(body.memory_ids[index], turn.id));
  }
}
