/** The prompt for the end of a session: what is worth storing, and in which form. */
import { fromUser, type Prompt, quoted } from './prompt.js';

export const sessionEnd: Prompt = {
  listed: {
    name: 'session_end',
    title: 'End of a session',
    description: 'Stores what a later session needs: decisions, preferences, corrections, solved problems, open work.',
    arguments: [{ name: 'topic', description: 'The project or the task, for the tags.' }],
  },
  messages: async ({ topic = '' }) => [fromUser(stepsFor(topic))],
};

function stepsFor(topic: string): string {
  return `This session ends${topic.trim() === '' ? '' : `; it was about ${quoted(topic)}`}. Store what a later session needs in your long-term memory:

1. Go through the conversation and note what is new: decisions with their reasons, preferences and corrections of the user, patterns, how problems were solved, open work. Leave out what the files of the project say, and every password, key and token.
2. Call recall_memory for each note. If it is known, leave it out. If a known memory has a mistake, call update_memory. If the fact has changed, call store_memory with supersedes_memory_id.
3. Store the others with one call of store_memory (memories): one fact each, in 150 to 300 characters that can be understood alone, with tags for project and topic, a type, and importance: 0.9 for decisions, 0.7 for what is useful often, 0.5 otherwise.
4. Add the tag lesson to what every session must know, and critical where a mistake is expensive: memory://startup-recall shows these memories.
5. Call associate_memories for those that belong together: LEADS_TO, PART_OF, CONTRADICTS.

If nothing is new, store nothing. Then say in one or two sentences what you stored.`;
}
