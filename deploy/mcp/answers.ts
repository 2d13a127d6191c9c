/** What the bridge answers to each method of MCP, in every revision of the protocol. */
import type {
  CallToolResult,
  GetPromptResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '../../shared/client/client.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import { getPrompt, type PromptRequest, PROMPTS } from './prompts.js';
import { readResource, RESOURCE_TEMPLATES, RESOURCES } from './resources/resource-catalog.js';
import { publishTool, type Tool, type ToolCall } from './tool.js';
import { createToolCaller, type ToolRequest } from './tool-caller.js';

/** The part of a request that the servers of all revisions have. */
export type Exchange = {
  /** Aborted when the caller cancels or disconnects. */
  readonly signal: AbortSignal;
  readonly progressToken: string | number | undefined;
  readonly notify: (notification: ProgressNotification) => Promise<void>;
};

type ProgressNotification = {
  readonly method: 'notifications/progress';
  readonly params: {
    readonly progressToken: string | number;
    readonly progress: number;
    readonly total?: number;
    readonly message: string;
  };
};

export interface Answers {
  listTools(): ListToolsResult;
  callTool(params: ToolRequest, exchange: Exchange): Promise<CallToolResult>;
  listResources(): ListResourcesResult;
  listResourceTemplates(): ListResourceTemplatesResult;
  readResource(params: { readonly uri: string }, exchange: Exchange): Promise<ReadResourceResult>;
  listPrompts(): ListPromptsResult;
  getPrompt(params: PromptRequest, exchange: Exchange): Promise<GetPromptResult>;
  /** Resolves when all running calls have ended. */
  settled(): Promise<void>;
}

/** Returns a function that makes the answers for one connection: `client` sends the token of its caller. */
export function createAnswers({
  tools,
  tokenBudget,
  logger,
  metrics,
}: {
  readonly tools: readonly Tool[];
  readonly tokenBudget: number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'observe'> | undefined;
}): (client: Client) => Answers {
  const listed = tools.map(publishTool);
  const callTool = createToolCaller({ tools, logger, metrics });
  return (client) => {
    const running = new Set<Promise<unknown>>();
    const track = <T>(call: Promise<T>): Promise<T> => {
      running.add(call);
      void call.catch(() => undefined).then(() => running.delete(call)); // the caller receives the error from `call`
      return call;
    };
    return {
      listTools: () => ({ tools: listed }),
      callTool: (params, exchange) =>
        track(callTool(params, { client, signal: exchange.signal, report: createProgressReporter(exchange, logger) })),
      listResources: () => ({ resources: [...RESOURCES] }),
      listResourceTemplates: () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }),
      readResource: ({ uri }, { signal }) => track(readResource(uri, { client, signal }, tokenBudget)),
      listPrompts: () => ({ prompts: [...PROMPTS] }),
      getPrompt: (params, { signal }) => track(getPrompt(params, { client, signal, tokenBudget })),
      settled: async () => void (await Promise.allSettled([...running])),
    };
  };
}

/** For a client that gave a `progressToken`. The protocol requires that `progress` increases. */
function createProgressReporter({ progressToken, notify }: Exchange, logger: Logger): ToolCall['report'] {
  if (progressToken === undefined) return () => undefined;
  let reached = -Infinity;
  return ({ done, total, message }) => {
    if (done <= reached) return;
    reached = done;
    const params = { progressToken, progress: done, message, ...(total === undefined ? {} : { total }) };
    notify({ method: 'notifications/progress', params }).catch((error: unknown) =>
      logger.debug({ err: error }, 'progress notification failed'),
    );
  };
}
