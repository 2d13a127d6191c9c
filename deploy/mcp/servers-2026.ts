/**
 * MCP servers of revision 2026-07-28, in which each request carries its version and there is no handshake. The package
 * of the SDK speaks the revisions before.
 */
import { createMcpHandler, type ListToolsResult, Server, type ServerOptions } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isRecord } from '../../shared/kernel/is-record.js';
import type { Answers, Exchange } from './answers.js';

export type Servers2026 = {
  /** Answers one POST. `messages` is its parsed body. `signal` aborts the call. */
  readonly answer: (
    messages: unknown,
    post: { readonly headers: Headers; readonly signal: AbortSignal },
  ) => Promise<Response>;
  /** Serves one connection. A client that knows no later revision can begin the handshake of an earlier one on it. */
  readonly serve: (transport: Transport) => { readonly close: () => Promise<void> };
  readonly settled: Answers['settled'];
};

type Transport = NonNullable<NonNullable<Parameters<typeof serveStdio>[1]>['transport']>;

/** A request needs one, and the handler does not read it. */
const UNREAD_URL = 'http://localhost/mcp';

export function createServers2026({
  answers,
  info,
  options,
  onError,
}: {
  readonly answers: Answers;
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly options: ServerOptions;
  readonly onError: (error: Error) => void;
}): Servers2026 {
  const createServer = () => {
    const server = new Server(info, options);
    server.onerror = onError;
    // Schemas are objects in the types of the SDK and JSON in those of this package.
    server.setRequestHandler('tools/list', () => answers.listTools() as ListToolsResult);
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => answers.callTool(params, exchangeOf(mcpReq)));
    server.setRequestHandler('resources/list', answers.listResources);
    server.setRequestHandler('resources/templates/list', answers.listResourceTemplates);
    server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
      answers.readResource(params, exchangeOf(mcpReq)),
    );
    server.setRequestHandler('prompts/list', answers.listPrompts);
    server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) => answers.getPrompt(params, exchangeOf(mcpReq)));
    return server;
  };
  return {
    answer: async (messages, post) => {
      const handler = createMcpHandler(createServer, { legacy: 'reject', onerror: onError });
      const request = new Request(UNREAD_URL, { method: 'POST', ...post });
      const reply = await handler.fetch(request, { parsedBody: messages });
      // Nothing that the bridge lists changes: a subscription is acknowledged and ends, and holds no connection.
      if (isRecord(messages) && messages['method'] === 'subscriptions/listen') await handler.close();
      return reply;
    },
    serve: (transport) => serveStdio(createServer, { transport, onerror: onError }),
    settled: answers.settled,
  };
}

function exchangeOf({
  signal,
  _meta,
  notify,
}: {
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly notify: Exchange['notify'];
}): Exchange {
  return { signal, progressToken: _meta?.progressToken, notify };
}
