/** One call of a tool by the official client, with all blocks of the answer in one text. */
import type { McpClient } from './mcp.js';

export type ToldOverMcp = {
  readonly isError: boolean;
  readonly text: string;
  // Tests look into answers of every shape; what they read they also assert.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly fields: any;
};

export async function callOverMcp({ client }: McpClient, tool: string, given?: object): Promise<ToldOverMcp> {
  const { content, structuredContent, isError } = await client.callTool({
    name: tool,
    ...(given === undefined ? {} : { arguments: { ...given } }),
  });
  const text = (content as readonly { readonly text: string }[]).map((block) => block.text).join('\n');
  return { isError: isError === true, text, fields: structuredContent ?? {} };
}
