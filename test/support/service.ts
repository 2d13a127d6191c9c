/**
 * The whole service in the test's own process, on a free port and with switches to break its engines: the embedded ones in a folder, or,
 * where `PALIMPSEST_TEST_ENGINES=real`, those of the distributed composition on the servers of this run. A test sees no difference.
 */
import type { Engines } from '../../deploy/embedded/compose-service.js';
import { embeddedConfig } from '../../deploy/embedded/config.js';
import { createEmbedded, type Embedded, type EmbeddedOptions } from '../../deploy/embedded/create-embedded.js';
import type { Embedder } from '../../shared/embedding/embedder.js';
import { listen } from '../../shared/http/listen.js';
import { randomIds, systemClock, type Clock } from '../../shared/kernel/clock.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { createBreaker, type Breaker } from './create-breaker.js';
import { createOnServers } from './create-on-servers.js';
import { createHttpCaller, type HttpCaller } from './http-caller.js';
import { checkingReplies } from './reply-check.js';
import { createTempFolder } from './temp-folder.js';

export type Service = HttpCaller & {
  readonly url: string;
  /** Everything committed so far has been projected. */
  readonly settled: () => Promise<void>;
  readonly breakers: Readonly<Record<'graph' | 'vectors' | 'embedder', Breaker>>;
  readonly engines: Engines;
  readonly close: () => Promise<void>;
};

export type ServiceOptions = {
  /** The only environment that it sees. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Whether its enricher runs: by default it does not, so that what a test stores stays as it was stored. */
  readonly enriches?: boolean;
  /** In place of the configured one. */
  readonly embedder?: Embedder;
  /** Puts something between the engines, switches included, and the service. */
  readonly alter?: (engines: Engines) => Engines;
};

/** Empty. Every answer to its `request` is held against the contract. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  if (areEnginesReal()) return startOnServers(options);
  const folder = await createTempFolder();
  const service = await startEmbedded({ ...options, dataFolder: folder.path });
  return {
    ...service,
    close: async () => {
      await service.close();
      await folder.remove();
    },
  };
}

/** Over the engines of the distributed composition, whatever this run stands on. */
export function startOnServers(options: ServiceOptions = {}): Promise<Service> {
  return start(createOnServers, { ...options, dataFolder: '' });
}

/** The embedded service over a folder that stays when it closes. */
export function startEmbedded(options: ServiceOptions & { readonly dataFolder: string }): Promise<Service> {
  return start(createEmbedded, options);
}

const ENGINES = ['embedded', 'real'] as const;

function areEnginesReal(): boolean {
  const engines = process.env['PALIMPSEST_TEST_ENGINES'] ?? 'embedded';
  if (engines !== 'embedded' && engines !== 'real')
    throw new Error(`PALIMPSEST_TEST_ENGINES is ${engines}: use ${ENGINES.join(' or ')}`);
  return engines === 'real';
}

const STOP_DEADLINE_MS = 2_000;

async function start(
  create: (options: EmbeddedOptions) => Promise<Embedded>,
  {
    variables = {},
    clock = systemClock,
    enriches = false,
    embedder,
    alter = (opened) => opened,
    dataFolder,
  }: ServiceOptions & { readonly dataFolder: string },
): Promise<Service> {
  const breakers = {
    graph: createBreaker('graph'),
    vectors: createBreaker('vectors'),
    embedder: createBreaker('embedding'),
  };
  let engines: Engines | undefined;
  const service = await create({
    config: embeddedConfig(
      {
        ...(enriches ? {} : { PROJECTORS: 'vector-indexer,access-recorder' }),
        ...variables,
        PALIMPSEST_DATA_DIR: dataFolder,
      },
      dataFolder,
    ),
    version: '0.0.0-test',
    logger: silentLogger,
    clock,
    ids: randomIds,
    ...(embedder === undefined ? {} : { embedder }),
    alter: (opened) =>
      (engines = alter({
        ...opened,
        graph: breakers.graph.guard(opened.graph),
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
    ...checkingReplies(createHttpCaller(url)),
    settled: () => service.settled(),
    close: async () => {
      await server.close(STOP_DEADLINE_MS);
      for (const breaker of Object.values(breakers)) breaker.mend(); // what is in hand can be finished
      await service.close();
    },
  };
}
