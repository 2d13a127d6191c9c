/**
 * A proxy of one Neo4j that behaves as a member of a cluster: it answers ROUTE itself, refuses writes while it does not
 * lead, as a follower does, and hands over each transaction that its server has committed.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import {
  ANSWER_BYTES,
  chunked,
  createMessageReader,
  failure,
  HANDSHAKE,
  IGNORED,
  routeAnswer,
  type RoutingTable,
  tagOf,
  TAGS,
  textOf,
} from './bolt-messages.js';

/** The messages of a client from BEGIN to COMMIT. */
export type CommittedTransaction = readonly Buffer[];

export type BoltMember = {
  readonly address: string;
  /** RUN messages that reached the server. */
  readonly statements: () => number;
  /** The messages with which a client signs in. */
  readonly signIn: () => readonly Buffer[];
  /** Resolves when no commit is under way. */
  readonly commitsEnded: () => Promise<void>;
  /** Closes the connection of the next commit instead of its answer. */
  readonly dropNextCommit: () => void;
  /** Accepts connections and passes nothing, as a server that hangs. */
  readonly hold: () => void;
  /** Closes all connections, and refuses new ones until `accept`. */
  readonly refuse: () => Promise<void>;
  readonly accept: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Options = {
  readonly serverPort: number;
  readonly table: () => RoutingTable;
  /** For how many seconds drivers keep the table. */
  readonly ttl: number;
  readonly leads: () => boolean;
  readonly onCommit: (transaction: CommittedTransaction) => void;
};

const HOST = '127.0.0.1';
const WRITES = /\b(?:CREATE|MERGE|SET|DELETE|REMOVE|DROP)\b/u;
const NOT_A_LEADER = failure(
  'Neo.ClientError.Cluster.NotALeader',
  'No write operations are allowed directly on this database. The role of this server is: FOLLOWER',
);

/** An answer that the client expects: of the server to this message, or one of the proxy. */
type Expected = { readonly to: number; readonly transaction: Buffer[] } | Buffer;

export async function openBoltMember({ serverPort, table, ttl, leads, onCommit }: Options): Promise<BoltMember> {
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  const signIn = new Map<number, Buffer>();
  let statements = 0;
  let committing = 0;
  let onIdle = (): void => undefined;
  let isNextCommitDropped = false;
  let isHeld = false;

  function noteEnded(commits: number): void {
    committing -= commits;
    if (committing === 0) onIdle();
  }

  function serve(client: Socket): void {
    const server = connect(serverPort, HOST);
    const expected: Expected[] = [];
    let transaction: Buffer[] = [];
    let writes = false;
    let hasFailed = false;
    let hasGreeted = false;

    clients.add(client);
    servers.add(server);
    for (const socket of [client, server]) {
      socket.on('error', () => socket.destroy()); // a cut connection reports it, and `close` follows
      if (isHeld) socket.pause();
    }
    client.on('close', () => {
      clients.delete(client);
      // A commit that is under way ends at the server, also without its client.
      if (!expected.some(isCommit)) server.destroy();
    });
    server.on('close', () => {
      servers.delete(server);
      noteEnded(expected.filter(isCommit).length);
      client.destroy();
    });

    const send = (message: Buffer): void => void (client.destroyed || client.write(chunked(message)));
    function answer(message: Buffer): void {
      expected.push(message);
      sendOwn();
    }
    function sendOwn(): void {
      while (Buffer.isBuffer(expected[0])) send(expected.shift() as Buffer);
    }

    function refuseWrite(): void {
      hasFailed = true;
      answer(NOT_A_LEADER);
    }

    function forward(message: Buffer): void {
      if (tagOf(message) !== TAGS.goodbye) expected.push({ to: tagOf(message), transaction });
      server.write(chunked(message));
    }

    const readClient = createMessageReader(HANDSHAKE.length, (message) => {
      const tag = tagOf(message);
      if (tag === TAGS.hello || tag === TAGS.logon) signIn.set(tag, message);
      if (tag === TAGS.reset) hasFailed = false;
      if (tag === TAGS.begin || tag === TAGS.reset) [transaction, writes] = [[], false];
      if (hasFailed) return answer(IGNORED);
      if (tag === TAGS.route) return answer(routeAnswer(table(), ttl));
      if (tag === TAGS.run) {
        writes ||= WRITES.test(textOf(message));
        if (writes && !leads()) return refuseWrite();
        statements += 1;
      }
      if (tag === TAGS.commit) {
        if (writes && !leads()) return refuseWrite();
        committing += 1;
      }
      transaction.push(message);
      forward(message);
      if (tag === TAGS.commit) transaction = []; // what the connection sends later is not part of it
      if (tag === TAGS.commit && isNextCommitDropped) {
        isNextCommitDropped = false;
        client.destroy();
      }
    });
    client.on('data', (data) => {
      if (!hasGreeted) server.write(HANDSHAKE);
      hasGreeted = true;
      readClient(data);
    });

    const readServer = createMessageReader(ANSWER_BYTES, (message) => {
      send(message);
      if (tagOf(message) === TAGS.record) return;
      const answered = expected.shift();
      if (answered === undefined || Buffer.isBuffer(answered)) throw new Error('The server answers what was not asked');
      if (isCommit(answered)) {
        if (tagOf(message) === TAGS.success && answered.transaction.some(isWrite)) onCommit(answered.transaction);
        noteEnded(1);
        if (client.destroyed) server.destroy();
      }
      sendOwn();
    });
    let greeting = Buffer.alloc(0);
    server.on('data', (data) => {
      if (greeting.length < ANSWER_BYTES) {
        const part = data.subarray(0, ANSWER_BYTES - greeting.length);
        greeting = Buffer.concat([greeting, part]);
        client.write(part);
      }
      readServer(data);
    });
  }

  const listener = createServer(serve);
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(port, HOST, () => {
        listener.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port } = listener.address() as AddressInfo; // it listens on TCP
  const refuse = async (): Promise<void> => {
    const closed = new Promise((resolve) => listener.close(resolve));
    for (const socket of clients) socket.destroy();
    await closed;
  };
  return {
    address: `${HOST}:${port}`,
    statements: () => statements,
    signIn: () => [...signIn.values()],
    commitsEnded: () => (committing === 0 ? Promise.resolve() : new Promise((resolve) => (onIdle = resolve))),
    dropNextCommit: () => {
      isNextCommitDropped = true;
    },
    hold: () => {
      isHeld = true;
      for (const socket of [...clients, ...servers]) socket.pause();
    },
    refuse,
    accept: () => {
      isHeld = false;
      return listen(port);
    },
    close: async () => (listener.listening ? refuse() : undefined),
  };
}

function isCommit(expected: Expected): expected is { readonly to: number; readonly transaction: Buffer[] } {
  return !Buffer.isBuffer(expected) && expected.to === TAGS.commit;
}

const isWrite = (message: Buffer): boolean => tagOf(message) === TAGS.run && WRITES.test(textOf(message));
