/** Executes one call of a tool: finds the tool, runs it, and validates its answer against its output schema. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { type Metrics, NO_METRICS } from '../../shared/kernel/metrics/metrics.js';
import { shorten } from '../../shared/kernel/shorten.js';
import { readTraceparent } from '../../shared/kernel/tracing/traceparent.js';
import { currentTraceparent, type SpanOptions, withSpan } from '../../shared/kernel/tracing/tracing.js';
import { createValidator } from '../../shared/kernel/validation/validate.js';
import { failed, type Tool, type ToolAnswer, type ToolCall } from './tool.js';

export type ToolRequest = {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  /** May hold the `traceparent` of the caller. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
};
export type ToolCaller = (request: ToolRequest, call: ToolCall) => Promise<CallToolResult>;

const TOOL_FAULT =
  'The bridge has a fault and could not carry this out to its end; its log says why. Whether anything was changed is not known: look with recall_memory before you repeat a call that stores or changes.';
const WITHOUT_STRUCTURE =
  'The call was carried out, and this is its result. (It is marked as an error because the bridge has a fault and could not make its structured form; do not repeat the call.)';

export function createToolCaller({
  tools,
  logger,
  metrics = NO_METRICS,
}: {
  readonly tools: readonly Tool[];
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, 'observe'> | undefined;
}): ToolCaller {
  const toolsByName = new Map(
    tools.map((tool) => [tool.name, { tool, validate: createValidator(tool.outputSchema as object) }]),
  );
  const names = tools.map(({ name }) => name).join(', ');

  return async (request, call) => {
    const found = toolsByName.get(request.name);
    if (found === undefined) return resultOf(failed(`Unknown tool: ${shorten(request.name)}. The tools are ${names}`));
    const startedAt = performance.now();
    const answer = await withSpan(`tool ${found.tool.name}`, spanOptions(request), async (span) => {
      const given = await runTool(found.tool, request, call);
      span.set({ 'palimpsest.outcome': outcomeOf(given) });
      return given;
    });
    const durationMs = performance.now() - startedAt;
    const labels = { tool: found.tool.name, outcome: outcomeOf(answer) };
    metrics.observe('palimpsest_tool_duration_seconds', labels, durationMs / 1_000);
    logger.debug(
      { tool: request.name, isError: answer.isError ?? false, durationMs: Math.round(durationMs) },
      'tool called',
    );
    const checked = answer.structured === undefined && answer.isError ? null : found.validate(answer.structured);
    if (checked === null || checked.ok) return resultOf(found.tool.isTextOnly ? textAlone(answer) : answer);
    logger.error({ tool: request.name, problem: checked.problem.message }, 'tool answer violates its output schema');
    return resultOf(withoutStructure(answer));
  };

  async function runTool(tool: Tool, { arguments: given }: ToolRequest, call: ToolCall): Promise<ToolAnswer> {
    try {
      return await tool.call(given ?? {}, call);
    } catch (error) {
      // A cancelled call has no caller left, and the cancellation itself may be the cause of the error.
      if (!call.signal.aborted) logger.error({ err: error, tool: tool.name }, 'tool threw');
      return failed(TOOL_FAULT);
    }
  }
}

/** The parent is the span that the message names, else the HTTP request; over stdio a new trace begins. */
function spanOptions({ _meta }: ToolRequest): SpanOptions {
  const given = _meta?.['traceparent'];
  const parent = readTraceparent(typeof given === 'string' ? given : undefined);
  const request = currentTraceparent();
  return { kind: 'server', ...(parent !== null && { parent, links: request === null ? [] : [request] }) };
}

function outcomeOf({ isError }: ToolAnswer): 'failed' | 'ok' {
  return isError ? 'failed' : 'ok';
}

/** Clients reject wrong structured content, and show the text only if it is marked as an error. */
function withoutStructure({ text, isError }: ToolAnswer): ToolAnswer {
  return { text: isError ? text : [WITHOUT_STRUCTURE, ...text], isError: true };
}

function textAlone({ text, isError }: ToolAnswer): ToolAnswer {
  return { text, ...(isError && { isError }) };
}

function resultOf({ text, structured, isError }: ToolAnswer): CallToolResult {
  return {
    content: text.map((block) => ({ type: 'text', text: block })),
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError ? { isError } : {}),
  };
}
