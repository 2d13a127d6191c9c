/**
 * The distributed service as child processes on real servers: so many of each kind, behind one gateway, over a database, topics and a
 * collection of their own. Tests kill, pause and add members; nothing of the service runs in the test's own process.
 */
import { randomUUID } from 'node:crypto';
import { startChild, type Child } from './child-process.js';
import { freePort } from './free-port.js';
import { startGateway } from './gateway.js';
import { createHttpCaller, type HttpCaller } from './http-caller.js';
import { createTempFolder, type TempFolder } from './temp-folder.js';
import { neo4jCredentials, serverAddress } from './servers.js';
import { until } from './until.js';

const MAINS = {
  'command-api': 'command-api/main.js',
  relay: 'command-api/relay/main.js',
  projectors: 'projectors/main.js',
  'query-api': 'query-api/main.js',
} as const;
export type Kind = keyof typeof MAINS;

export type Member = Child & { readonly kind: Kind; readonly url: string; readonly port: number };

export type Fleet = HttpCaller & {
  /** The gateway's. */
  readonly url: string;
  readonly ground: Ground;
  /** Those that were started and neither killed nor stopped. */
  readonly members: (kind: Kind) => readonly Member[];
  /** Starts one more; in place of `port`'s former holder where one is given. `main` takes the place of its entry file. */
  readonly add: (kind: Kind, options?: StartOptions) => Promise<Member>;
  /** Nothing committed so far waits for the index, or for its enrichment where that runs. */
  readonly settled: (deadlineMs?: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

type StartOptions = {
  readonly port?: number;
  readonly main?: string;
  readonly variables?: Readonly<Record<string, string>>;
};

/** What one service stands on, from one start to the next. */
export type Ground = {
  readonly database: string;
  readonly postgresUrl: string;
  readonly topicPrefix: string;
  readonly collection: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly folder: TempFolder;
};

const SETTLED_DEADLINE_MS = 120_000;

/** An empty database and names that nobody else has. The graph is wiped: there is one of it. */
export async function layGround(open: {
  readonly createDatabase: (name: string) => Promise<string>;
  readonly wipeGraph: () => Promise<void>;
}): Promise<Ground> {
  const name = `fleet_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const [postgresUrl] = await Promise.all([open.createDatabase(name), open.wipeGraph()]);
  const { user, password } = neo4jCredentials();
  const [topicPrefix, collection] = [`${name}.`, name];
  return {
    database: name,
    postgresUrl,
    topicPrefix,
    collection,
    folder: await createTempFolder(),
    variables: {
      POSTGRES_URL: postgresUrl,
      NEO4J_URL: serverAddress('neo4j'),
      NEO4J_USER: user,
      NEO4J_PASSWORD: password,
      KAFKA_BROKERS: serverAddress('kafka'),
      KAFKA_TOPIC_PREFIX: topicPrefix,
      QDRANT_URL: serverAddress('qdrant'),
      QDRANT_COLLECTION: collection,
      INTERNAL_API_TOKEN: 'between-ourselves',
      EMBEDDING_PROVIDER: 'bundled',
    },
  };
}

export async function migrate(ground: Ground): Promise<void> {
  const child = startChild({ main: 'deploy/migrate/main.js', folder: ground.folder.path, variables: ground.variables });
  const code = await child.ended;
  if (code !== 0) throw new Error(`The migration ended with ${code}:\n${child.output()}`);
}

export async function startFleet(
  ground: Ground,
  { each = 1, variables = {} }: { readonly each?: number; readonly variables?: Readonly<Record<string, string>> } = {},
): Promise<Fleet> {
  const members: Member[] = [];
  const ports = { command: await freePorts(each), query: await freePorts(each) };
  const commandUrls = ports.command.map(addressOf);
  const shared = {
    ...ground.variables,
    COMMAND_API_URL: commandUrls.join(','),
    PROJECTOR_STATE_SAVE_MS: '250',
    LOG_LEVEL: 'warn',
    ...variables,
  };

  async function add(kind: Kind, options: StartOptions = {}): Promise<Member> {
    const port = options.port ?? (await freePort());
    const child = startChild({
      main: options.main ?? MAINS[kind],
      folder: ground.folder.path,
      variables: { ...shared, PORT: String(port), ...options.variables },
    });
    const url = addressOf(port);
    const member = { ...child, kind, url, port };
    members.push(member);
    await until(`${kind} is ready`, () => isReady(member), 60_000);
    return member;
  }

  await Promise.all([
    ...ports.command.map((port) => add('command-api', { port })),
    ...ports.query.map((port) => add('query-api', { port })),
    ...Array.from({ length: each }, () => [add('relay'), add('projectors')]).flat(),
  ]);
  const gateway = await startGateway({
    commandApi: commandUrls,
    queryApi: ports.query.map(addressOf),
    folder: ground.folder.path,
  });
  const { url } = gateway;
  const caller = createHttpCaller(url);
  return {
    url,
    ground,
    ...caller,
    add,
    members: (kind) => members.filter((member) => member.kind === kind && member.isRunning()),
    settled: async (deadlineMs = SETTLED_DEADLINE_MS) => {
      await until(
        'nothing is in flight',
        async () => {
          const { body } = await caller.request('GET', '/health');
          // What the enricher has handled is committed before its position says so.
          const { status, lag_events: lag } = body?.projectors?.enricher ?? {};
          return body?.in_flight === 0 && (status === 'stopped' || lag === 0);
        },
        deadlineMs,
      );
    },
    close: async () => {
      await gateway.close();
      for (const member of members) member.signal('SIGCONT'); // a paused one hears no other signal
      await Promise.all(members.filter((member) => member.isRunning()).map((member) => member.stop('SIGTERM')));
    },
  };
}

async function isReady(member: Member): Promise<boolean> {
  if (!member.isRunning()) throw new Error(`${member.kind} ended while it started:\n${member.output()}`);
  try {
    return (await fetch(`${member.url}/readyz`)).status === 200;
  } catch {
    return false; // it does not listen yet
  }
}

function freePorts(count: number): Promise<readonly number[]> {
  return Promise.all(Array.from({ length: count }, freePort));
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
