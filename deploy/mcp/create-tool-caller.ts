/** One call of a tool: finds it, carries it out, and holds what it answers against what it has promised. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createValidator } from '../../shared/kernel/validate.js';
import { failed, type Tool, type ToolAnswer, type ToolCall } from './tool.js';

type ToolRequest = { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> | undefined };
export type ToolCaller = (request: ToolRequest, call: ToolCall) => Promise<CallToolResult>;

const BROKEN =
  'The bridge has a fault and could not carry this out to its end; its log says why. Whether anything was changed is not known: look with recall_memory before you repeat a call that stores or changes.';
const WITHOUT_STRUCTURE =
  'The call was carried out, and this is its result. (It is marked as an error because the bridge has a fault and could not make its structured form; do not repeat the call.)';

export function createToolCaller({
  tools,
  logger,
}: {
  readonly tools: readonly Tool[];
  readonly logger: Logger;
}): ToolCaller {
  const known = new Map(
    tools.map((tool) => [tool.name, { tool, validate: createValidator(tool.outputSchema as object, { late: true }) }]),
  );
  const names = tools.map(({ name }) => name).join(', ');

  return async (request, call) => {
    const found = known.get(request.name);
    if (found === undefined) return resultOf(failed(`Unknown tool: ${request.name}. The tools are ${names}`));
    const startedAt = performance.now();
    const answer = await carryOut(found.tool, request, call);
    logger.debug(
      { tool: request.name, isError: answer.isError ?? false, durationMs: Math.round(performance.now() - startedAt) },
      'a tool was called',
    );
    const checked = answer.structured === undefined && answer.isError ? null : found.validate(answer.structured);
    if (checked === null || checked.ok) return resultOf(answer);
    logger.error(
      { tool: request.name, problem: checked.problem.message },
      'the answer of a tool is not what its output schema says',
    );
    return resultOf(withoutStructure(answer));
  };

  async function carryOut(tool: Tool, { arguments: given }: ToolRequest, call: ToolCall): Promise<ToolAnswer> {
    try {
      return await tool.call(given ?? {}, call);
    } catch (error) {
      // Nobody waits for the answer to a call that was cancelled, and what it was doing may have broken off.
      if (!call.signal.aborted) logger.error({ error, tool: tool.name }, 'a tool threw');
      return failed(BROKEN);
    }
  }
}

/** Clients refuse an answer whose structure is wrong or missing, and show its text only where it is marked as an error. */
function withoutStructure({ text, isError }: ToolAnswer): ToolAnswer {
  return { text: isError ? text : [WITHOUT_STRUCTURE, ...text], isError: true };
}

function resultOf({ text, structured, isError }: ToolAnswer): CallToolResult {
  return {
    content: text.map((block) => ({ type: 'text', text: block })),
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError ? { isError } : {}),
  };
}
