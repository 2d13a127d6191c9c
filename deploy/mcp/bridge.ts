/** Creates an MCP server for each connection. All share the tools, resources and prompts. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { Client } from '../../shared/client/client.js';
import { createClient } from '../../shared/client/http-client.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import { currentTraceparent } from '../../shared/kernel/tracing/tracing.js';
import type { ToolsetConfig } from './bridge-config.js';
import { COMPACT_INSTRUCTIONS, createCompactTools } from './compact/compact-tools.js';
import { getPrompt, PROMPTS } from './prompts.js';
import { readResource, RESOURCE_TEMPLATES, RESOURCES } from './resources/resource-catalog.js';
import { publishTool, type Tool, type ToolCall } from './tool.js';
import { createToolCaller } from './tool-caller.js';
import { createAssociateMemoriesTool } from './tools/associate-memories.js';
import { createCheckDatabaseHealthTool } from './tools/check-database-health.js';
import { createDeleteMemoryTool } from './tools/delete-memory.js';
import { createRecallMemoryTool } from './tools/recall-memory.js';
import { createStoreMemoryTool } from './tools/store-memory.js';
import { createUpdateMemoryTool } from './tools/update-memory.js';

export type Connection = {
  readonly server: Server;
  /** Resolves when all running calls have ended. */
  readonly settled: () => Promise<void>;
};

/** `client` sends the token of the connection's caller, and no other credentials. */
export type Bridge = { readonly connect: (client: Client) => Connection };

export function createBridge({
  tools,
  instructions = INSTRUCTIONS,
  tokenBudget,
  version,
  logger,
  metrics,
}: {
  readonly tools: readonly Tool[];
  /** What every model reads that is connected. */
  readonly instructions?: string;
  /** The limit of a resource that has no natural size, in estimated tokens. */
  readonly tokenBudget: number;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, 'observe'> | undefined;
}): Bridge {
  const listed = tools.map(publishTool);
  // One validator for all servers. By default each server creates its own, which takes 1 ms and is never used by this
  // bridge.
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  const callTool = createToolCaller({ tools, logger, metrics });
  return {
    connect: (client) => {
      const server = new Server(
        { name: 'palimpsest', title: 'Palimpsest', version },
        { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions, jsonSchemaValidator },
      );
      const running = new Set<Promise<unknown>>();
      const track = <T>(call: Promise<T>): Promise<T> => {
        running.add(call);
        void call.catch(() => undefined).then(() => running.delete(call)); // the caller receives the error from `call`
        return call;
      };
      // Errors of the SDK and of JSON.parse quote the message, which holds memories and may hold a token.
      server.onerror = (error) => logger.warn({ problem: error.name, ...codeOf(error) }, 'mcp message handling failed');
      server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
      server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
        return track(callTool(params, { client, signal: extra.signal, report: createProgressReporter(extra, logger) }));
      });
      server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...RESOURCES] }));
      server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
        resourceTemplates: [...RESOURCE_TEMPLATES],
      }));
      server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
        track(readResource(params.uri, { client, signal }, tokenBudget)),
      );
      server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [...PROMPTS] }));
      server.setRequestHandler(GetPromptRequestSchema, ({ params }, { signal }) =>
        track(getPrompt(params, { client, signal, tokenBudget })),
      );
      return { server, settled: async () => void (await Promise.allSettled([...running])) };
    },
  };
}

function codeOf(error: Error): { readonly code?: string } {
  return 'code' in error ? { code: String(error.code) } : {};
}

type RequestExtra = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'sendNotification'>;

/** For a client that gave a `progressToken`. The protocol requires that `progress` increases. */
function createProgressReporter({ _meta, sendNotification }: RequestExtra, logger: Logger): ToolCall['report'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let reached = -Infinity;
  return ({ done, total, message }) => {
    if (done <= reached) return;
    reached = done;
    const params = { progressToken, progress: done, message, ...(total === undefined ? {} : { total }) };
    sendNotification({ method: 'notifications/progress', params }).catch((error: unknown) =>
      logger.debug({ err: error }, 'progress notification failed'),
    );
  };
}

export const INSTRUCTIONS = `Palimpsest is your long-term memory: what you store here outlives this conversation, and other agents of the same user read it too.

recall_memory: before you answer or begin something, look for what is known - decisions, preferences, earlier fixes, the state of a project. Ask in plain words (query), narrow with tags or time_query ("last 7 days"), follow associations with expand_relations. Tags are a hard filter: recall once more without them when too little is found. With memory_id you get one memory whole.

store_memory: when something will matter later - a decision and its reason, a preference, a correction, a pattern, how a problem was solved. One fact a memory, in 150 to 300 characters that can be understood alone (2,000 at most), with tags for project and topic, a type, and importance: 0.9 for decisions, 0.7 for what is useful often, 0.5 otherwise. Never store passwords, keys or tokens. Several at once: memories.
When a fact has changed, do not delete the old one: store the new with supersedes_memory_id, and recall shows the new in its place.

associate_memories: link what belongs together - LEADS_TO (cause to effect), PREFERS_OVER, CONTRADICTS, EVOLVED_INTO, PART_OF - so that one leads to the other in later recalls.

update_memory corrects a memory in place; fields you leave out stay, tags and metadata you give replace the old ones. delete_memory removes permanently: one by memory_id, or all that have any of the tags. check_database_health says whether the service works when other tools fail.

An answer marked as an error says what to do next: correct the arguments it names, wait and repeat, or report to the user what is wrong with the service.`;

export function createBridgeClient({
  baseUrl,
  token,
  version,
}: {
  readonly baseUrl: string;
  readonly token: string | null;
  readonly version: string;
}): Client {
  return createClient({ baseUrl, token, userAgent: `palimpsest-mcp/${version}`, traceparent: currentTraceparent });
}

/** The tools and the instructions of a profile. */
export function createToolset({
  tokenBudget,
  profile,
}: ToolsetConfig): Pick<Parameters<typeof createBridge>[0], 'tools' | 'instructions' | 'tokenBudget'> {
  return profile === 'compact'
    ? { tools: createCompactTools({ tokenBudget }), instructions: COMPACT_INSTRUCTIONS, tokenBudget }
    : { tools: createTools({ tokenBudget }), instructions: INSTRUCTIONS, tokenBudget };
}

/** The tools of the compatible profile. `tokenBudget`: the limit of one recall's answer, in estimated tokens. */
export function createTools({ tokenBudget }: { readonly tokenBudget: number }): readonly Tool[] {
  return [
    createStoreMemoryTool(),
    createRecallMemoryTool({ tokenBudget }),
    createAssociateMemoriesTool(),
    createUpdateMemoryTool(),
    createDeleteMemoryTool(),
    createCheckDatabaseHealthTool(),
  ];
}
