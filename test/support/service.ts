/** The whole embedded service in the test's own process, on a free port and a folder of its own, with switches to break its engines. */
import { createEmbedded } from '../../deploy/embedded/create-embedded.js';
import { embeddedConfig } from '../../deploy/embedded/config.js';
import type { Engines } from '../../deploy/embedded/compose-service.js';
import { listen } from '../../shared/http/listen.js';
import { randomIds, systemClock, type Clock } from '../../shared/kernel/clock.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { breakable, type Breaker } from './breakable.js';
import { createHttpCaller, type HttpCaller } from './http-caller.js';
import { checkingReplies } from './reply-check.js';
import { createTempFolder } from './temp-folder.js';

export type Service = HttpCaller & {
  readonly url: string;
  readonly dataFolder: string;
  /** Everything committed so far has been projected. */
  readonly settled: () => Promise<void>;
  readonly breakers: Readonly<Record<'graph' | 'vectors' | 'embedder', Breaker>>;
  readonly engines: Engines;
  readonly close: () => Promise<void>;
};

const STOP_DEADLINE_MS = 2_000;

export type ServiceOptions = {
  /** The only environment that it sees. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** One that stays when the service closes; without it a folder of its own, which goes. */
  readonly dataFolder?: string;
};

/** Every answer to its `request` is held against the contract. */
export async function startService({ variables = {}, clock = systemClock, dataFolder }: ServiceOptions = {}): Promise<Service> {
  const folder = dataFolder === undefined ? await createTempFolder() : { path: dataFolder, remove: () => Promise.resolve() };
  let breakers: Service['breakers'] | undefined;
  let engines: Engines | undefined;
  const service = await createEmbedded({
    config: embeddedConfig({ ...variables, PALIMPSEST_DATA_DIR: folder.path }, folder.path),
    version: '0.0.0-test',
    logger: silentLogger,
    clock,
    ids: randomIds,
    alter: (opened) => {
      const graph = breakable(opened.graph, 'graph');
      const vectors = breakable(opened.vectors, 'vectors');
      const embedder = breakable(opened.embedder, 'embedding');
      breakers = { graph: graph.breaker, vectors: vectors.breaker, embedder: embedder.breaker };
      engines = { ...opened, graph: graph.port, vectors: vectors.port, embedder: embedder.port };
      return engines;
    },
  });
  if (breakers === undefined || engines === undefined) throw new Error('The composition did not hand out its engines');
  const server = await listen(service.app, { port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    dataFolder: folder.path,
    breakers,
    engines,
    ...checkingReplies(createHttpCaller(url)),
    settled: () => service.settled(),
    close: async () => {
      await server.close(STOP_DEADLINE_MS);
      await service.close();
      await folder.remove();
    },
  };
}
