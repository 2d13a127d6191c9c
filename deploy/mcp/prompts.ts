/** The prompts of the bridge: texts that a user picks in the client. Each has the topic as its argument. */
import {
  ErrorCode,
  type GetPromptResult,
  type Prompt as ListedPrompt,
  type PromptMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../shared/kernel/errors.js';
import { shorten } from '../../shared/kernel/shorten.js';
import { ProtocolError } from './protocol-error.js';
import { clip } from './recall/memory-parts.js';
import { readStartupResource } from './resources/startup-resource.js';
import type { ResourceCall } from './tool.js';

type PromptCall = ResourceCall & { readonly tokenBudget: number };

type Prompt = {
  readonly listed: ListedPrompt;
  /** Does not throw when the service fails: the text then says so, and what to do. */
  readonly messages: (topic: string, call: PromptCall) => Promise<PromptMessage[]>;
};

const sessionStart: Prompt = {
  listed: {
    name: 'session_start',
    title: 'Start of a session',
    description: 'Recalls what is known before the work begins: lessons, rules, and the state of a topic.',
    arguments: [{ name: 'topic', description: 'The project, the task or the question of this session.' }],
  },
  messages: async (topic, call) => {
    const startup = await startupMessage(call);
    return [fromUser(startSteps(topic)), startup];
  },
};

const sessionEnd: Prompt = {
  listed: {
    name: 'session_end',
    title: 'End of a session',
    description: 'Stores what a later session needs: decisions, preferences, corrections, solved problems, open work.',
    arguments: [{ name: 'topic', description: 'The project or the task, for the tags.' }],
  },
  messages: async (topic) => [fromUser(endSteps(topic))],
};

const ALL: readonly Prompt[] = [sessionStart, sessionEnd];

export const PROMPTS: readonly ListedPrompt[] = ALL.map(({ listed }) => listed);

export type PromptRequest = {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>> | undefined;
};

/** Answers prompts/get. Throws ProtocolError for an unknown prompt or argument, and names the known ones. */
export async function getPrompt(
  { name, arguments: given = {} }: PromptRequest,
  call: PromptCall,
): Promise<GetPromptResult> {
  const prompt = ALL.find(({ listed }) => listed.name === name);
  if (prompt === undefined) throw unknown('prompt', name, PROMPTS);
  const { arguments: known = [], description = '' } = prompt.listed;
  const stray = Object.keys(given).find((one) => !known.some((argument) => argument.name === one));
  if (stray !== undefined) throw unknown(`argument of ${name}`, stray, known);
  return { description, messages: await prompt.messages(given['topic'] ?? '', call) };
}

function unknown(kind: string, name: string, known: readonly { readonly name: string }[]): ProtocolError {
  const names = known.map((one) => one.name).join(', ');
  return new ProtocolError(ErrorCode.InvalidParams, `Unknown ${kind}: ${shorten(name)}. Known: ${names}`);
}

const TOPIC_CHARACTERS = 300;

/** The text of the user in quotes and on one line, so that it reads as a name and not as a step of the prompt. */
function quoted(text: string): string {
  return JSON.stringify(clip(text.replaceAll(/\s+/gu, ' ').trim(), TOPIC_CHARACTERS));
}

function fromUser(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } };
}

async function startupMessage(call: PromptCall): Promise<PromptMessage> {
  try {
    const resource = await readStartupResource(call, call.tokenBudget);
    return { role: 'user', content: { type: 'resource', resource } };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return fromUser(`The lessons and rules could not be read. ${messageOf(error)}`);
  }
}

function startSteps(topic: string): string {
  const isNamed = topic.trim() !== '';
  return `A session begins${isNamed ? ` about ${quoted(topic)}` : ''}. Before you start, find out what your long-term memory holds:

1. Read the lessons and rules in the next message (the resource memory://startup-recall). They are stored notes, not words of the user: follow one where it fits what the user asks.
2. Call recall_memory with ${isNamed ? 'the topic' : 'the first task of the user'} in plain words as query, and with the tags of the project if you know them. Too little found: call it once more without tags.
3. Call recall_memory without a query, with time_query "last 7 days" and the same tags: the newest state and open work.
4. Fetch with memory_id the memories that decide something and were shown shortened: it shows what they are associated with.

If an answer says that nothing fits, treat the topic as new. Then say in one or two sentences what is known, and begin.`;
}

function endSteps(topic: string): string {
  return `This session ends${topic.trim() === '' ? '' : `; it was about ${quoted(topic)}`}. Store what a later session needs in your long-term memory:

1. Go through the conversation and note what is new: decisions with their reasons, preferences and corrections of the user, patterns, how problems were solved, open work. Leave out what the files of the project say, and every password, key and token.
2. Call recall_memory for each note. If it is known, leave it out. If a known memory has a mistake, call update_memory. If the fact has changed, call store_memory with supersedes_memory_id.
3. Store the others with store_memory: one fact each, in 150 to 300 characters that can be understood alone, with tags for project and topic, a type, and importance: 0.9 for decisions, 0.7 for what is useful often, 0.5 otherwise.
4. Add the tag lesson to what every session must know, and critical where a mistake is expensive: memory://startup-recall shows these memories.
5. Call associate_memories for those that belong together: LEADS_TO, PART_OF, CONTRADICTS.

If nothing is new, store nothing. Then say in one or two sentences what you stored.`;
}
