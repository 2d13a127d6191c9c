/** A gate on the way to a server: it can hold everything up, as a server does that stands still, or cut the way at a chosen moment. */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

export type TcpGate = {
  readonly port: number;
  /** Connections are accepted and nothing passes, in either direction. */
  readonly hold: () => void;
  readonly release: () => void;
  /** Ends every connection at once. */
  readonly cut: () => void;
  /** Whatever holds one of these texts gets to the server; its answer does not get back, and the connection ends instead. Until others are named. */
  readonly loseAnswerTo: (...texts: readonly string[]) => void;
  readonly close: () => Promise<void>;
};

type Pair = { readonly client: Socket; readonly server: Socket; isAnswerLost: boolean };

export async function openTcpGate(target: { readonly host: string; readonly port: number }): Promise<TcpGate> {
  const pairs = new Set<Pair>();
  let isHeld = false;
  let fatalTexts: readonly string[] = [];

  const gate = createServer((client) => {
    const pair: Pair = { client, server: connect(target.port, target.host), isAnswerLost: false };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      pair.server.destroy();
    };
    for (const socket of [client, pair.server]) {
      socket.on('close', end);
      // A connection that a test cuts ends with an error on either side; `close` follows.
      socket.on('error', end);
      if (isHeld) socket.pause();
    }
    client.on('data', (chunk) => {
      if (fatalTexts.some((text) => chunk.includes(text))) pair.isAnswerLost = true;
      pair.server.write(chunk);
    });
    pair.server.on('data', (chunk) => (pair.isAnswerLost ? end() : client.write(chunk)));
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
    loseAnswerTo: (...texts) => {
      fatalTexts = texts;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => gate.close(resolve));
    },
  };
}
