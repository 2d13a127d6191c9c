/** A TCP proxy in front of a server. It can stop the traffic, as a hanging server does, or cut connections. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The whole message of this statement; the word alone is also in READ COMMITTED. */
export const COMMIT_MESSAGE = 'COMMIT\0';

export type TcpGate = {
  readonly port: number;
  /** Accepts connections and passes no data, in either direction. */
  readonly hold: () => void;
  /**
   * Passes data with this text to the server, and then no data, in either direction, as a process that is stopped at
   * that moment.
   */
  readonly holdAfter: (text: string) => void;
  readonly isHeld: () => boolean;
  readonly release: () => void;
  /** Closes all connections immediately. */
  readonly cut: () => void;
  /** Closes all connections and refuses new ones until `accept`. */
  readonly refuse: () => Promise<void>;
  readonly accept: () => Promise<void>;
  /** Closes all connections. New ones reach the server at this port, as after a failover. */
  readonly switchTo: (port: number) => void;
  /**
   * Passes data with one of these texts to the server and closes the connection instead of passing the answer. The next
   * call replaces the texts.
   */
  readonly dropReplyTo: (...texts: readonly string[]) => void;
  readonly close: () => Promise<void>;
};

type Pair = { readonly client: Socket; readonly server: Socket; isReplyDropped: boolean };

export type GateTarget = {
  readonly host: string;
  readonly port: number;
  /** Changes each piece of data from the server. The length must stay the same. */
  readonly rewriteReply?: (data: Buffer) => Buffer;
};

export async function openTcpGate(target: GateTarget): Promise<TcpGate> {
  const { rewriteReply = (data) => data } = target;
  const pairs = new Set<Pair>();
  let serverPort = target.port;
  let isHeld = false;
  let droppedReplyTexts: readonly string[] = [];
  let lastText: string | null = null;

  const gate = createServer((client) => {
    const pair: Pair = { client, server: connect(serverPort, target.host), isReplyDropped: false };
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
      if (lastText !== null && chunk.includes(lastText)) hold();
    });
    pair.server.on('data', (chunk) => (pair.isReplyDropped ? end() : client.write(rewriteReply(chunk))));
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      gate.once('error', reject);
      gate.listen(port, '127.0.0.1', () => {
        gate.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port } = gate.address() as AddressInfo;

  const sockets = (): readonly Socket[] => [...pairs].flatMap(({ client, server }) => [client, server]);
  function hold(): void {
    isHeld = true;
    for (const socket of sockets()) socket.pause();
  }
  const cut = (): void => sockets().forEach((socket) => socket.destroy());
  const refuse = async (): Promise<void> => {
    const closed = new Promise((resolve) => gate.close(resolve));
    cut();
    await closed;
  };
  return {
    port,
    hold,
    holdAfter: (text) => {
      lastText = text;
    },
    isHeld: () => isHeld,
    release: () => {
      isHeld = false;
      lastText = null;
      for (const socket of sockets()) socket.resume();
    },
    cut,
    refuse,
    accept: () => listen(port),
    switchTo: (next) => {
      serverPort = next;
      cut();
    },
    dropReplyTo: (...texts) => {
      droppedReplyTexts = texts;
    },
    close: async () => void (await refuse()),
  };
}
