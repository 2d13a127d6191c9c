/** The prompts of the bridge, and the one function that answers prompts/get. */
import { ErrorCode, type GetPromptResult, type Prompt as ListedPrompt } from '@modelcontextprotocol/sdk/types.js';
import { shorten } from '../../../shared/kernel/shorten.js';
import { ProtocolError } from '../protocol-error.js';
import { fromUser, type Prompt, type PromptCall, quoted } from './prompt.js';
import { sessionStart } from './session-start.js';

const sessionEnd: Prompt = {
  listed: {
    name: 'session_end',
    title: 'End of a session',
    description: 'Stores what a later session needs: decisions, preferences, corrections, solved problems, open work.',
    arguments: [{ name: 'topic', description: 'The project or the task, for the tags.' }],
  },
  messages: async ({ topic = '' }) => [fromUser(stepsFor(topic))],
};

/** The prompt for the end of a session: what is worth storing, and in which form. */
function stepsFor(topic: string): string {
  return `This session ends${topic.trim() === '' ? '' : `; it was about ${quoted(topic)}`}. Store what a later session needs in your long-term memory:

1. Go through the conversation and note what is new: decisions with their reasons, preferences and corrections of the user, patterns, how problems were solved, open work. Leave out what the files of the project say, and every password, key and token.
2. Call recall_memory for each note. If it is known, leave it out. If a known memory has a mistake, call update_memory. If the fact has changed, call store_memory with supersedes_memory_id.
3. Store the others with one call of store_memory (memories): one fact each, in 150 to 300 characters that can be understood alone, with tags for project and topic, a type, and importance: 0.9 for decisions, 0.7 for what is useful often, 0.5 otherwise.
4. Add the tag lesson to what every session must know, and critical where a mistake is expensive: memory://startup-recall shows these memories.
5. Call associate_memories for those that belong together: LEADS_TO, PART_OF, CONTRADICTS.

If nothing is new, store nothing. Then say in one or two sentences what you stored.`;
}

const ALL: readonly Prompt[] = [sessionStart, sessionEnd];

export const PROMPTS: readonly ListedPrompt[] = ALL.map(({ listed }) => listed);

type PromptRequest = { readonly name: string; readonly arguments?: Readonly<Record<string, string>> | undefined };

/** Throws ProtocolError for an unknown prompt or argument, and names the known ones. */
export async function getPrompt(
  { name, arguments: given = {} }: PromptRequest,
  call: PromptCall,
): Promise<GetPromptResult> {
  const prompt = ALL.find(({ listed }) => listed.name === name);
  if (prompt === undefined) throw unknown('prompt', name, PROMPTS);
  const known = prompt.listed.arguments ?? [];
  const stray = Object.keys(given).find((one) => !known.some((argument) => argument.name === one));
  if (stray !== undefined) throw unknown(`argument of ${name}`, stray, known);
  const { description } = prompt.listed;
  return { ...(description === undefined ? {} : { description }), messages: await prompt.messages(given, call) };
}

function unknown(kind: string, name: string, known: readonly { readonly name: string }[]): ProtocolError {
  const names = known.map((one) => one.name).join(', ');
  return new ProtocolError(ErrorCode.InvalidParams, `Unknown ${kind}: ${shorten(name)}. Known: ${names}`);
}
