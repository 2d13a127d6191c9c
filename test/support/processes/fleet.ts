/**
 * The distributed service as child processes on real servers: several processes of each kind behind one gateway, with
 * their own database, topics and collection. Tests kill, pause and add members. No part of the service runs in the
 * test's process.
 */
import { randomUUID } from 'node:crypto';
import { until } from '../checks/until.js';
import { createHttpCaller, type HttpCaller } from '../clients/http-caller.js';
import { createTempFolder, type TempFolder } from '../fixtures/temp-folder.js';
import { neo4jCredentials, serverAddress } from '../servers/servers.js';
import { type Child, startChild } from './child-process.js';
import { freePort } from './free-port.js';
import { startGateway } from './gateway.js';

/** The entry file of each kind. */
export const MAINS = {
  'command-api': 'command-api/main.js',
  relay: 'command-api/relay/main.js',
  projectors: 'projectors/main.js',
  'query-api': 'query-api/main.js',
} as const;
export type Kind = keyof typeof MAINS;

export type Member = Child & {
  readonly kind: Kind;
  readonly url: string;
  readonly port: number;
  readonly metricsPort: number;
};

export type Fleet = HttpCaller & {
  /** The URL of the gateway. */
  readonly url: string;
  readonly deployment: TestDeployment;
  /** The running members of this kind. */
  readonly members: (kind: Kind) => readonly Member[];
  /** Starts one more member. `port` reuses the port of a stopped member; `main` replaces the entry file. */
  readonly add: (kind: Kind, options?: StartOptions) => Promise<Member>;
  /** Resolves when all commits so far are indexed and, where the enricher runs, enriched. */
  readonly settled: (deadlineMs?: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

type StartOptions = {
  readonly port?: number;
  readonly main?: string;
  readonly variables?: Readonly<Record<string, string>>;
};

/** The database, topics, collection and folder of one service. They remain when the service restarts. */
export type TestDeployment = {
  readonly database: string;
  readonly postgresUrl: string;
  readonly topicPrefix: string;
  readonly collection: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly folder: TempFolder;
};

/** A process may wait a minute for the first plans of Neo4j. */
const READY_DEADLINE_MS = 150_000;
const SETTLED_DEADLINE_MS = 120_000;

/** Creates an empty database and unique names. Wipes the graph, because Neo4j Community has only one. */
export async function createTestDeployment(open: {
  readonly createDatabase: (name: string) => Promise<string>;
  readonly wipeGraph: () => Promise<void>;
}): Promise<TestDeployment> {
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

export async function migrate(deployment: TestDeployment): Promise<void> {
  const child = startChild({
    main: 'deploy/commands/main.js',
    arguments: ['migrate'],
    folder: deployment.folder.path,
    variables: deployment.variables,
  });
  const code = await child.ended;
  if (code !== 0) throw new Error(`The migration ended with ${code}:\n${child.output()}`);
}

export async function startFleet(
  deployment: TestDeployment,
  {
    each = 1,
    variables = {},
    queryVariables = {},
    gateway: program,
  }: {
    readonly each?: number;
    readonly variables?: Readonly<Record<string, string>>;
    /** For the query APIs alone. */
    readonly queryVariables?: Readonly<Record<string, string>>;
    readonly gateway?: 'any' | 'router';
  } = {},
): Promise<Fleet> {
  const members: Member[] = [];
  const ports = { command: await freePorts(each), query: await freePorts(each) };
  const commandUrls = ports.command.map(addressOf);
  const shared = {
    ...deployment.variables,
    COMMAND_API_URL: commandUrls.join(','),
    PROJECTOR_STATE_SAVE_MS: '1000',
    LOG_LEVEL: 'warn',
    ...variables,
  };

  async function add(kind: Kind, options: StartOptions = {}): Promise<Member> {
    const port = options.port ?? (await freePort());
    const metricsPort = await freePort();
    const child = startChild({
      main: options.main ?? MAINS[kind],
      folder: deployment.folder.path,
      variables: {
        ...shared,
        ...(kind === 'query-api' ? queryVariables : {}),
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        ...options.variables,
      },
    });
    const url = addressOf(port);
    const member = { ...child, kind, url, port, metricsPort };
    members.push(member);
    await until(`${kind} is ready`, () => isReady(member), READY_DEADLINE_MS).catch((error: Error) => {
      throw new Error(`${error.message}\n${member.output()}`, { cause: error });
    });
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
    folder: deployment.folder.path,
    program,
  });
  const { url } = gateway;
  const caller = createHttpCaller(url);
  return {
    url,
    deployment,
    ...caller,
    add,
    members: (kind) => members.filter((member) => member.kind === kind && member.isRunning()),
    settled: async (deadlineMs = SETTLED_DEADLINE_MS) => {
      await until(
        'no commit is in flight',
        async () => {
          const { body } = await caller.request('GET', '/health');
          // The enricher commits its work before its position advances.
          const { status, lag_events: lag } = body?.projectors?.enricher ?? {};
          return body?.in_flight === 0 && (status === 'stopped' || lag === 0);
        },
        deadlineMs,
      );
    },
    close: async () => {
      await gateway.close();
      for (const member of members) member.signal('SIGCONT'); // a paused process handles no other signal
      await Promise.all(members.filter((member) => member.isRunning()).map((member) => member.stop('SIGTERM')));
    },
  };
}

/** What each process logged last. */
export function logTail({ members }: Fleet): string {
  return (['command-api', 'query-api', 'projectors', 'relay'] as const)
    .flatMap((kind) => members(kind))
    .map(({ kind, port, output }) => `${kind} ${port}:\n${lastLines(output())}`)
    .join('\n');
}

const LOG_LINES = 40;

export function lastLines(output: string): string {
  return output.split('\n').slice(-LOG_LINES).join('\n');
}

async function isReady(member: Member): Promise<boolean> {
  if (!member.isRunning()) throw new Error(`${member.kind} ended while it started:\n${member.output()}`);
  try {
    return (await fetch(`${member.url}/readyz`)).status === 200;
  } catch {
    return false; // the process does not listen yet
  }
}

function freePorts(count: number): Promise<readonly number[]> {
  return Promise.all(Array.from({ length: count }, freePort));
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
