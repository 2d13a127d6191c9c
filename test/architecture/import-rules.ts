/**
 * The allowed imports of each layer, as data. The files of a layer may always import from its own folder and the
 * folders below.
 */
export type Layer = {
  readonly folder: string;
  /** Folders whose own files the layer may import, without the folders below them. */
  readonly sees: readonly string[];
  readonly packages: readonly string[];
  /** What to do instead of a forbidden import. */
  readonly advice: string;
};

const CONTRACT = 'shared/contract';
const KERNEL = 'shared/kernel';
const TEXT = 'shared/text';
const PORTS = 'shared/ports';
const ENTITIES = 'shared/entities';
const HTTP = 'shared/http';
const INTEGRITY = 'shared/integrity';
const SPACES = 'shared/spaces';
const KERNEL_FOLDERS = ['concurrency', 'config', 'metrics', 'tracing', 'validation'].map(
  (folder) => `${KERNEL}/${folder}`,
);
const CONTRACT_FOLDERS = ['consolidation', 'entities', 'examples', 'graph-views', 'maintenance', 'queries'].map(
  (folder) => `${CONTRACT}/${folder}`,
);
const BASE = [CONTRACT, ...CONTRACT_FOLDERS, KERNEL, ...KERNEL_FOLDERS];
/**
 * Readers of the journal, the jobs, the keys, the webhooks and the settings of consolidation, which several services
 * use. They see ports alone.
 */
const SERVICES = ['consolidation', 'jobs', 'journal', 'keys', 'tenants', 'webhooks'].map((part) => `shared/${part}`);

const SERVICE =
  'a service imports ports and the contract, but no other service: take a port as a dependency, and choose the engine in its open-*.ts';

/** An engine imports ports, contract, kernel, text and its vendor. */
function engine(
  name: string,
  { sees = [], packages = [] }: { readonly sees?: readonly string[]; readonly packages?: readonly string[] } = {},
): Layer {
  return {
    folder: `shared/engines/${name}`,
    sees: [...BASE, TEXT, PORTS, ...sees.map((folder) => `shared/engines/${folder}`)],
    packages,
    advice: 'an engine may import ports, its vendor, contract, kernel and text: pass anything else in as a dependency',
  };
}

/**
 * `sql` is what the two SQL engines share. Their parts import the host and the schema; the commit imports the parts
 * that it writes.
 */
const SQL_ENGINES: readonly Layer[] = [
  engine('sql'),
  engine('postgres'), // its opener
  engine('sqlite'), // its opener
  engine('postgres/connection', { packages: ['pg'] }),
  engine('postgres/schema', { sees: ['postgres/connection', 'postgres/journal'] }),
  engine('postgres/journal', { sees: ['sql', 'postgres/connection', 'postgres/schema'] }),
  engine('postgres/records', { sees: ['sql/records', 'postgres/connection', 'postgres/schema'] }),
  engine('postgres/outbox', { sees: ['sql', 'postgres/connection', 'postgres/schema', 'postgres/journal'] }),
  engine('postgres/commit', {
    sees: ['sql', ...['connection', 'schema', 'journal', 'outbox', 'records'].map((part) => `postgres/${part}`)],
  }),
  engine('sqlite/threads', { packages: ['libsql'] }),
  engine('sqlite/schema', { sees: ['sqlite/threads', 'sqlite/graph/schema'] }),
  engine('sqlite/records', { sees: ['sql/records', 'sqlite/threads'] }),
  ...['graph', 'journal', 'stream', 'vectors'].map((part) =>
    engine(`sqlite/${part}`, {
      sees: ['sql', 'sqlite/threads', 'sqlite/schema'],
      packages: part === 'graph' || part === 'vectors' ? ['lru-cache'] : [],
    }),
  ),
  engine('sqlite/commit', {
    sees: ['sql', ...['threads', 'schema', 'journal', 'records', 'graph/applying'].map((part) => `sqlite/${part}`)],
  }),
];

/** A file belongs to the layer with the longest matching folder. */
export const LAYERS: readonly Layer[] = [
  {
    folder: CONTRACT,
    sees: [],
    packages: ['json-schema-to-ts'],
    advice: 'the contract is data only: move code that acts to the folder that needs it',
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
    advice: 'the kernel imports no other folder and no vendor of an engine: move this code to the folder that needs it',
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
    packages: ['@koa/router', 'jose', 'json-schema-to-ts', 'jsonc-parser', 'koa'],
    advice: 'the HTTP edge contains no memory logic: move this code behind a handler',
  },
  {
    folder: 'shared/client',
    sees: [...BASE, HTTP],
    packages: [],
    advice: 'the client uses only the contract of the service: import nothing else',
  },
  {
    folder: PORTS,
    sees: BASE,
    packages: [],
    advice: 'a port uses only the contract: put code for a vendor into its engine',
  },
  ...SQL_ENGINES,
  engine('neo4j', { packages: ['neo4j-driver', 'lru-cache'] }),
  engine('qdrant', { packages: ['@qdrant/js-client-rest'] }),
  engine('kafka', { packages: ['kafkajs'] }),
  engine('models', {
    packages: ['@huggingface/tokenizers', 'lru-cache', 'onnxruntime-node', 'onnxruntime-web'],
  }),
  ...SERVICES.map((folder): Layer => ({
    folder,
    sees: [...BASE, PORTS],
    packages: folder === 'shared/keys' ? ['lru-cache', 'p-limit'] : folder === 'shared/tenants' ? ['p-limit'] : [],
    advice: 'what services share uses ports alone: choose the engines in an open-*.ts',
  })),
  {
    folder: SPACES,
    sees: [...BASE, PORTS],
    packages: [],
    advice: 'vector spaces use the ports of embedders and indexes: choose the engines in an open-*.ts',
  },
  {
    folder: INTEGRITY,
    sees: [...BASE, PORTS],
    packages: ['tar-stream'],
    advice: 'integrity compares the stores through their ports: choose the engines in an open-*.ts',
  },
  {
    folder: 'deploy/mcp',
    sees: [...BASE, TEXT, HTTP, `${HTTP}/openapi`, `${HTTP}/request`, 'shared/client'],
    packages: ['@modelcontextprotocol/sdk', '@modelcontextprotocol/server', 'json-schema-to-ts', 'koa', 'p-limit'],
    advice: 'the bridge is an HTTP client: call the service instead',
  },
  {
    folder: 'deploy/console',
    sees: [...BASE, TEXT, 'shared/client'],
    packages: [
      'esbuild',
      'eventsource-parser',
      'graphology',
      'graphology-layout-forceatlas2',
      'preact',
      'sigma',
      'swagger-ui-dist',
    ],
    advice: 'the console is an HTTP client in the browser: call the service instead',
  },
  ...['command-api', 'query-api', 'projectors'].map((folder): Layer => ({
    folder,
    sees: [
      ...BASE,
      TEXT,
      HTTP,
      PORTS,
      ENTITIES,
      `${ENTITIES}/names`,
      ...SERVICES,
      SPACES,
      ...['backup-format', 'drift', 'journal-mark', 'replay'].map((part) => `${INTEGRITY}/${part}`),
    ],
    packages: folder === 'query-api' ? ['lru-cache'] : [],
    advice: SERVICE,
  })),
];

/**
 * A layer that runs as its own process has three more kinds of files: its configuration, the files that open its parts,
 * and its entry file. They may import all adapters and hosts, like `deploy/` for processes with several layers, but no
 * other layer.
 */
export const OPENERS = {
  file: /^(?:command-api|query-api|projectors)(?:\/relay)?\/(?:main|process-config|open-[a-z-]+)\.ts$/u,
  sees: /^shared\//u,
} as const;

/** Each of these files composes what a process runs. */
export const ROOTS = {
  file: /^(?:(?:command-api|query-api|projectors)(?:\/relay)?\/(?:main|open-[a-z-]+)|deploy\/embedded\/(?:main|embedded|open-[a-z-]+|compose-[a-z-]+)|deploy\/commands\/[a-z-]+\/(?:command|open-[a-z-]+))\.ts$/u,
  maxImports: 15,
} as const;

/** These folders compose the layers, so they may import all of our files, and the listed packages. */
export const COMPOSERS: readonly { readonly folder: string; readonly packages: readonly string[] | 'any' }[] = [
  { folder: 'deploy', packages: ['@streamparser/json', 'cli-progress', 'commander', 'esbuild', 'koa', 'tar-stream'] },
  { folder: 'test', packages: 'any' },
];

/**
 * The stages of a recall in their order. Each folder below `folder`, with its subfolders, and each file directly in it
 * is one node; a node imports only earlier nodes.
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
