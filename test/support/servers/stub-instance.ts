/** A stub of one API instance behind a gateway. It records each request and answers as the test decides. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type StubInstance = {
  readonly url: string;
  /** The received requests, in order. */
  readonly requests: readonly IncomingMessage[];
  readonly connections: () => number;
  /** Sets the listener for all later requests. */
  readonly respondWith: (listener: RequestListener) => void;
  /** Cuts open connections and stops listening. A second call changes nothing. */
  readonly close: () => Promise<void>;
};

/** Until `respondWith` is called, it answers 200 with the body `{"instance": name}`. */
export async function openStubInstance(name: string): Promise<StubInstance> {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  let listener: RequestListener = (_, response) => answerJson(response, 200, { instance: name });
  const server = createServer({ maxHeaderSize: 512 * 1024 }, (request, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A server that listens on a port has an `AddressInfo`.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    respondWith: (next) => {
      listener = next;
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export function answerJson(response: Parameters<RequestListener>[1], status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
