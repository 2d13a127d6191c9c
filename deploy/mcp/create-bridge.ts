/**
 * The bridge as MCP sees it: a server for each connection, over tools and a resource that all of them share. Transports connect it, and
 * bring the client with which its calls reach the service.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { Client } from '../../shared/client/client.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createToolCaller } from './create-tool-caller.js';
import { INSTRUCTIONS } from './instructions.js';
import { MEMORY_TEMPLATE, readMemoryResource } from './memory-resource.js';
import { createProgressReporter } from './progress-reporter.js';
import { publishTool } from './publish-tool.js';
import type { Tool } from './tool.js';

export type Connection = {
  readonly server: Server;
  /** Resolves when no call is under way any more. */
  readonly settled: () => Promise<void>;
};

/** `client` has the token of whoever is on the connection, and reaches the service with nothing else. */
export type Bridge = { readonly connect: (client: Client) => Connection };

export function createBridge({
  tools,
  version,
  logger,
}: {
  readonly tools: readonly Tool[];
  readonly version: string;
  readonly logger: Logger;
}): Bridge {
  const listed = tools.map(publishTool);
  // A server would make one of its own, in a millisecond, and use it for nothing that this bridge does.
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  const callTool = createToolCaller({ tools, logger });
  return {
    connect: (client) => {
      const server = new Server(
        { name: 'palimpsest', title: 'Palimpsest', version },
        { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator },
      );
      const underWay = new Set<Promise<unknown>>();
      const track = <T>(call: Promise<T>): Promise<T> => {
        underWay.add(call);
        void call.catch(() => undefined).then(() => underWay.delete(call)); // whoever called hears of its failure
        return call;
      };
      server.onerror = (error) => logger.warn({ error }, 'a message of MCP could not be handled');
      server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
      server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
        return track(callTool(params, { client, signal: extra.signal, report: createProgressReporter(extra, logger) }));
      });
      server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [] }));
      server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [MEMORY_TEMPLATE] }));
      server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
        track(readMemoryResource(params.uri, { client, signal })),
      );
      return { server, settled: async () => void (await Promise.allSettled([...underWay])) };
    },
  };
}
