/**
 * Creates an MCP server for each connection, in two revisions of the protocol. All share the tools, resources and
 * prompts.
 */
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
import { type Answers, createAnswers, type Exchange } from './answers.js';
import type { ToolsetConfig } from './bridge-config.js';
import { COMPACT_INSTRUCTIONS, createCompactTools } from './compact/compact-tools.js';
import type { Servers2026 } from './servers-2026.js';
import type { Tool } from './tool.js';
import { createAssociateMemoriesTool } from './tools/associate-memories.js';
import { createCheckDatabaseHealthTool } from './tools/check-database-health.js';
import { createDeleteMemoryTool } from './tools/delete-memory.js';
import { createRecallMemoryTool } from './tools/recall-memory.js';
import { createStoreMemoryTool } from './tools/store-memory.js';
import { createUpdateMemoryTool } from './tools/update-memory.js';

export type Connection = { readonly server: Server; readonly settled: Answers['settled'] };

/** `client` sends the token of the connection's caller, and no other credentials. */
export type Bridge = {
  /** A server of the revisions that begin with a handshake, up to 2025-11-25. */
  readonly connect: (client: Client) => Connection;
  /** Servers of revision 2026-07-28. */
  readonly connect2026: (client: Client) => Promise<Servers2026>;
};

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
  const info = { name: 'palimpsest', title: 'Palimpsest', version };
  const options = { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions };
  // One validator for all servers. By default each server creates its own, which takes 1 ms and is never used by this
  // bridge.
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  const answersFor = createAnswers({ tools, tokenBudget, logger, metrics });
  // Errors of the SDK and of JSON.parse quote the message, which holds memories and may hold a token.
  const onError = (error: Error) =>
    logger.warn({ problem: error.name, ...codeOf(error) }, 'mcp message handling failed');
  return {
    connect: (client) => {
      const answers = answersFor(client);
      const server = new Server(info, { ...options, jsonSchemaValidator });
      server.onerror = onError;
      server.setRequestHandler(ListToolsRequestSchema, answers.listTools);
      server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
        answers.callTool(params, exchangeOf(extra)),
      );
      server.setRequestHandler(ListResourcesRequestSchema, answers.listResources);
      server.setRequestHandler(ListResourceTemplatesRequestSchema, answers.listResourceTemplates);
      server.setRequestHandler(ReadResourceRequestSchema, ({ params }, extra) =>
        answers.readResource(params, exchangeOf(extra)),
      );
      server.setRequestHandler(ListPromptsRequestSchema, answers.listPrompts);
      server.setRequestHandler(GetPromptRequestSchema, ({ params }, extra) =>
        answers.getPrompt(params, exchangeOf(extra)),
      );
      return { server, settled: answers.settled };
    },
    connect2026: async (client) => {
      // Not loaded without need: it takes 100 ms.
      const { createServers2026 } = await import('./servers-2026.js');
      return createServers2026({ answers: answersFor(client), info, options, onError });
    },
  };
}

function codeOf(error: Error): { readonly code?: string } {
  return 'code' in error ? { code: String(error.code) } : {};
}

function exchangeOf({
  signal,
  _meta,
  sendNotification,
}: RequestHandlerExtra<ServerRequest, ServerNotification>): Exchange {
  return { signal, progressToken: _meta?.progressToken, notify: sendNotification };
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
