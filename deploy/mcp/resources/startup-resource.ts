/** The resource with the lessons and rules for the start of a session. */
import { ErrorCode, type Resource, type TextResourceContents } from '@modelcontextprotocol/sdk/types.js';
import { failureAnswer, NOT_OUR_SERVICE } from '../failure-answer.js';
import { ProtocolError } from '../protocol-error.js';
import type { ResourceCall } from './resource-call.js';
import { readStartupReply, startupPage } from './startup-page.js';

export const STARTUP_RESOURCE = {
  uri: 'memory://startup-recall',
  name: 'startup-recall',
  title: 'Startup Recall',
  description:
    'What to read before a session begins: the most important memories with a tag critical, lesson or ai-assistant, and those with a tag system or memory-recall.',
  mimeType: 'application/json',
} as const satisfies Resource;

/** Throws ProtocolError with the reason and what to do. */
export async function readStartupResource(
  { client, signal }: ResourceCall,
  tokenBudget: number,
): Promise<TextResourceContents> {
  const { uri, mimeType } = STARTUP_RESOURCE;
  const answer = await client.call('startupRecall', { signal });
  if (answer.kind !== 'answered')
    throw new ProtocolError(ErrorCode.InternalError, failureAnswer(answer).text.join('\n'), { uri });
  const reply = readStartupReply(answer.body);
  if (reply === null)
    throw new ProtocolError(
      ErrorCode.InternalError,
      `Error: The service answered ${answer.status}, but not with lessons and rules.\n${NOT_OUR_SERVICE}`,
      { uri },
    );
  return { uri, mimeType, text: startupPage(reply, tokenBudget) };
}
