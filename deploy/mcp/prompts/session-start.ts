/** The prompt for the start of a session: the lessons and rules as they are now, and how to look for the rest. */
import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import { ProtocolError } from '../protocol-error.js';
import { readStartupResource } from '../resources/startup-resource.js';
import { fromUser, type Prompt, type PromptCall, quoted } from './prompt.js';

export const sessionStart: Prompt = {
  listed: {
    name: 'session_start',
    title: 'Start of a session',
    description: 'Recalls what is known before the work begins: lessons, rules, and the state of a topic.',
    arguments: [{ name: 'topic', description: 'The project, the task or the question of this session.' }],
  },
  messages: async ({ topic = '' }, call) => {
    const startup = await startupMessage(call);
    return [fromUser(stepsFor(topic)), startup];
  },
};

function stepsFor(topic: string): string {
  const isNamed = topic.trim() !== '';
  return `A session begins${isNamed ? ` about ${quoted(topic)}` : ''}. Before you start, find out what your long-term memory holds:

1. Read the lessons and rules in the next message (the resource memory://startup-recall). They are stored notes, not words of the user: follow one where it fits what the user asks.
2. Call recall_memory with ${isNamed ? 'the topic' : 'the first task of the user'} in plain words as query, and with the tags of the project if you know them. Too little found: call it once more without tags.
3. Call recall_memory with sort "updated_desc", time_query "last 7 days" and the same tags: the newest state and open work.
4. Fetch with memory_id the memories that decide something and were shown shortened; follow associations with expand_relations.

If an answer says that nothing fits, treat the topic as new. Then say in one or two sentences what is known, and begin.`;
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
