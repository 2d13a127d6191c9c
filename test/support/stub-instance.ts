/** An instance of an API as a gateway sees it, made by hand: it notes what reaches it and does with it what the test says. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

export type StubInstance = {
  readonly url: string;
  /** What has reached it, in order. */
  readonly requests: readonly IncomingMessage[];
  readonly connections: () => number;
  /** From now on. */
  readonly does: (listener: RequestListener) => void;
  /** Breaks off what is under way and accepts no more. A second call changes nothing. */
  readonly close: () => Promise<void>;
};

/** Until it is told otherwise it answers 200 with the body `{"instance": name}`. */
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
    // A server that listens on a port has an address of this kind.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    does: (next) => {
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
