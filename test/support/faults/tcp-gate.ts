/** A TCP proxy in front of a server. It can stop the traffic, as a hanging server does, or cut connections. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The whole message of this statement; the word alone is also in READ COMMITTED. */
export const COMMIT_MESSAGE = 'COMMIT\0';

export type TcpGate = {
  readonly port: number;
  /** Accepts connections and passes no data, in either direction. */
  readonly hold: () => void;
  readonly release: () => void;
  /** Closes all connections immediately. */
  readonly cut: () => void;
  /** Passes data with one of these texts to the server and closes the connection instead of passing the answer. The next call replaces the texts. */
  readonly dropReplyTo: (...texts: readonly string[]) => void;
  readonly close: () => Promise<void>;
};

type Pair = { readonly client: Socket; readonly server: Socket; isReplyDropped: boolean };

export async function openTcpGate(target: { readonly host: string; readonly port: number }): Promise<TcpGate> {
  const pairs = new Set<Pair>();
  let isHeld = false;
  let droppedReplyTexts: readonly string[] = [];

  const gate = createServer((client) => {
    const pair: Pair = { client, server: connect(target.port, target.host), isReplyDropped: false };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      pair.server.destroy();
    };
    for (const socket of [client, pair.server]) {
      socket.on('close', end);
      // A cut connection reports an error on either side; `close` follows.
      socket.on('error', end);
      if (isHeld) socket.pause();
    }
    client.on('data', (chunk) => {
      if (droppedReplyTexts.some((text) => chunk.includes(text))) pair.isReplyDropped = true;
      pair.server.write(chunk);
    });
    pair.server.on('data', (chunk) => (pair.isReplyDropped ? end() : client.write(chunk)));
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));

  const sockets = (): readonly Socket[] => [...pairs].flatMap(({ client, server }) => [client, server]);
  const cut = (): void => sockets().forEach((socket) => socket.destroy());
  return {
    port: (gate.address() as AddressInfo).port,
    hold: () => {
      isHeld = true;
      for (const socket of sockets()) socket.pause();
    },
    release: () => {
      isHeld = false;
      for (const socket of sockets()) socket.resume();
    },
    cut,
    dropReplyTo: (...texts) => {
      droppedReplyTexts = texts;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => gate.close(resolve));
    },
  };
}
