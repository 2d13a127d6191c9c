/**
 * The port of the bridge's prompts: texts that a user picks in the client, and that guide an agent through the tools.
 */
import type { Prompt as ListedPrompt, PromptMessage } from '@modelcontextprotocol/sdk/types.js';
import { clip } from '../recall/clip.js';
import type { ResourceCall } from '../resources/resource-call.js';

export type PromptCall = ResourceCall & { readonly tokenBudget: number };

export interface Prompt {
  /** As clients list it. */
  readonly listed: ListedPrompt;
  /**
   * `given` has no argument but the listed ones. Does not throw when the service fails: the text then says so, and what
   * to do.
   */
  readonly messages: (given: Readonly<Record<string, string>>, call: PromptCall) => Promise<PromptMessage[]>;
}

const TOPIC_CHARACTERS = 300;

/**
 * Of a text that the user typed, in quotes and on one line, so that it reads as a name and not as a step of the prompt.
 */
export function quoted(text: string): string {
  return JSON.stringify(clip(text.replaceAll(/\s+/gu, ' ').trim(), TOPIC_CHARACTERS));
}

export function fromUser(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } };
}
