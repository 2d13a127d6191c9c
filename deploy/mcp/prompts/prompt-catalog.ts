/** The prompts of the bridge, and the one function that answers prompts/get. */
import { ErrorCode, type GetPromptResult, type Prompt as ListedPrompt } from '@modelcontextprotocol/sdk/types.js';
import { shorten } from '../../../shared/kernel/shorten.js';
import { ProtocolError } from '../protocol-error.js';
import type { Prompt, PromptCall } from './prompt.js';
import { sessionEnd } from './session-end.js';
import { sessionStart } from './session-start.js';

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
