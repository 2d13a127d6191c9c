/**
 * The whole service in the test's process, on a free port, with switches that break its engines. It uses the embedded
 * engines in a folder, or with `PALIMPSEST_TEST_ENGINES=real` the engines of the distributed composition. A test sees
 * no difference.
 */
import { embeddedConfig } from '../../../deploy/embedded/config.js';
import { createEmbedded, type Embedded, type EmbeddedOptions } from '../../../deploy/embedded/embedded.js';
import type { Engines } from '../../../deploy/embedded/engines.js';
import { listen } from '../../../shared/http/listen.js';
import { type Clock, type Ids, randomIds, systemClock } from '../../../shared/kernel/clock.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { Metrics } from '../../../shared/kernel/metrics/metrics.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import { openSharedEmbedder } from '../adapters/shared-embedder.js';
import { serveInThread } from '../adapters/sqlite-in-thread.js';
import { withReplyCheck } from '../checks/reply-check.js';
import { createHttpCaller, type HttpCaller } from '../clients/http-caller.js';
import { type Breaker, createBreaker } from '../faults/breaker.js';
import type { ChangeQueryConfig } from '../fixtures/query-config.js';
import { createTempFolder } from '../fixtures/temp-folder.js';
import { createOnServers, type ServerStores } from './service-on-servers.js';

export type Service = HttpCaller & {
  readonly url: string;
  /** Resolves when all commits so far are projected. */
  readonly settled: () => Promise<void>;
  readonly breakers: Readonly<Record<'graph' | 'vectors' | 'embedder', Breaker>>;
  readonly engines: Engines;
  readonly close: () => Promise<void>;
};

export type ServiceOptions = {
  /** The whole environment of the service. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Changes what the read side reads from the environment, for values without a variable. */
  readonly query?: ChangeQueryConfig;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Runs the enricher. Off by default, so that a stored memory keeps the values from the test. */
  readonly enriches?: boolean;
  /** Receives what the service reports. */
  readonly metrics?: Metrics;
  /** Replaces the configured embedder. */
  readonly embedder?: Embedder;
  /** Wraps the engines (behind their switches) before the service uses them. */
  readonly alter?: (engines: Engines) => Engines;
  /** Replaces limits of open tenants; without effect on real servers. */
  readonly tenantLimits?: EmbeddedOptions['tenantLimits'];
};

/** A test that sets one of them is about the embedder that the service opens. */
const EMBEDDER_VARIABLE = /^(?:EMBEDDING_|VECTOR_SIZE)/u;

/**
 * Starts an empty service, for one test or many. It starts no threads, because they take most of the time of a start:
 * the embedded database runs in this thread, and all services of a process use one encoder. `request` checks each reply
 * against the contract.
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { variables = {}, metrics } = options;
  const isOwnEmbedder = metrics !== undefined || Object.keys(variables).some((name) => EMBEDDER_VARIABLE.test(name));
  const shared = { ...(isOwnEmbedder ? {} : { embedder: await openSharedEmbedder() }), ...options };
  if (usesRealEngines()) return startOnServers(shared);
  const folder = await createTempFolder();
  const service = await start(createEmbedded, { ...shared, startWorker: serveInThread, dataFolder: folder.path });
  return {
    ...service,
    close: async () => {
      await service.close();
      await folder.remove();
    },
  };
}

/** Always uses the engines of the distributed composition. */
export function startOnServers(
  options: ServiceOptions = {},
  onOpened?: (stores: ServerStores) => void,
): Promise<Service> {
  return start((given) => createOnServers(given, onOpened), { ...options, dataFolder: '' });
}

/**
 * Starts the embedded service over a folder that remains when the service closes, with threads of its own unless
 * `startWorker` replaces them.
 */
export function startEmbedded(options: StartOptions): Promise<Service> {
  return start(createEmbedded, options);
}

const ENGINES = ['embedded', 'real'] as const;

export function usesRealEngines(): boolean {
  const engines = process.env['PALIMPSEST_TEST_ENGINES'] ?? 'embedded';
  if (engines !== 'embedded' && engines !== 'real')
    throw new Error(`PALIMPSEST_TEST_ENGINES is ${engines}: use ${ENGINES.join(' or ')}`);
  return engines === 'real';
}

const STOP_DEADLINE_MS = 2_000;

type StartOptions = ServiceOptions & Pick<EmbeddedOptions, 'startWorker'> & { readonly dataFolder: string };

async function start(
  create: (options: EmbeddedOptions) => Promise<Omit<Embedded, 'warmUp'>>,
  {
    variables = {},
    query = (config) => config,
    clock = systemClock,
    ids = randomIds,
    enriches = false,
    metrics,
    embedder,
    startWorker,
    alter = (opened) => opened,
    tenantLimits = {},
    dataFolder,
  }: StartOptions,
): Promise<Service> {
  const breakers = {
    graph: createBreaker('graph'),
    vectors: createBreaker('vectors'),
    embedder: createBreaker('embedding'),
  };
  let engines: Engines | undefined;
  const config = embeddedConfig(
    {
      ...(enriches ? {} : { PROJECTORS: 'vector-indexer,access-recorder' }),
      // A busy machine must not change the results.
      RECALL_SOURCE_TIMEOUT_MS: '60000',
      JOB_WAIT_MS: '50000',
      ...variables,
      PALIMPSEST_DATA_DIR: dataFolder,
    },
    dataFolder,
  );
  const service = await create({
    config: { ...config, query: query(config.query) },
    version: '0.0.0-test',
    logger: silentLogger,
    clock,
    ids,
    metrics,
    startWorker,
    tenantLimits,
    ...(embedder === undefined ? {} : { embedder }),
    alter: (opened) =>
      (engines = alter({
        ...opened,
        graph: breakers.graph.guard(opened.graph),
        inspector: breakers.graph.guard(opened.inspector),
        graphWriter: breakers.graph.guard(opened.graphWriter),
        vectors: breakers.vectors.guard(opened.vectors),
        embedder: breakers.embedder.guard(opened.embedder),
      })),
  });
  if (engines === undefined) throw new Error('The composition did not hand out its engines');
  const server = await listen(service.app, { port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    breakers,
    engines,
    ...withReplyCheck(createHttpCaller(url)),
    settled: () => service.settled(),
    close: async () => {
      await server.close(STOP_DEADLINE_MS);
      for (const breaker of Object.values(breakers)) breaker.mend(); // what is in hand can be finished
      await service.close();
    },
  };
}
