/**
 * The whole service in one process: the command side, the projectors and the query side over the embedded engines, behind one HTTP
 * surface. Every part is the one that the distributed composition takes, or its sibling behind the same port.
 */
import type Koa from 'koa';
import { createCommandApi } from '../../command-api/create-command-api.js';
import { createProjectors } from '../../projectors/create-projectors.js';
import { createQueryApi } from '../../query-api/create-query-api.js';
import { createSqliteCommitter } from '../../shared/commit/sqlite/create-sqlite-committer.js';
import { createApp } from '../../shared/http/create-app.js';
import { openApiDocument } from '../../shared/http/openapi.js';
import { createEdgeHandlers } from '../../shared/http/edge-handlers.js';
import type { Clock, Ids } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createResources, type Resources } from '../../shared/kernel/resources.js';
import type { Embedder } from '../../shared/embedding/embedder.js';
import { createLanguageModel } from '../../shared/language/language-variables.js';
import type { EmbeddedConfig } from './config.js';
import { openEngines, type Engines } from './open-engines.js';

export type Embedded = {
  readonly app: Koa;
  /** Everything committed so far has been projected. */
  readonly settled: () => Promise<void>;
  /** Projectors finish their batch, then engines close in reverse order of their opening. */
  readonly close: () => Promise<void>;
};

export type EmbeddedOptions = {
  readonly config: EmbeddedConfig;
  readonly version: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Takes the place of the configured one. */
  readonly embedder?: Embedder;
  /** Puts something between the engines and those who use them: how tests break one. */
  readonly alter?: (engines: Engines) => Engines;
};

export async function createEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const resources = createResources();
  try {
    return await compose(options, resources);
  } catch (error) {
    await resources.close();
    throw error;
  }
}

async function compose({ config, version, logger, clock, ids, embedder, alter }: EmbeddedOptions, resources: Resources): Promise<Embedded> {
  const opened = await openEngines({ config, logger, resources, ...(embedder === undefined ? {} : { embedder }) });
  const engines = alter?.(opened) ?? opened;
  const { host, journal, stream, vectors } = engines;
  const language = createLanguageModel(config.language, { logger, clock });
  const commandApi = createCommandApi({
    ...engines, language, clock, ids, logger,
    committer: createSqliteCommitter({ host, clock, publisher: stream, logger }),
    vectorSize: vectors.dimension,
    config: config.command,
  });
  const queryApi = createQueryApi({
    ...engines, publisher: stream, config: config.query, clock, logger,
    about: { version, graph: 'memories', vectorSize: vectors.dimension },
  });
  const projectors = await createProjectors({
    ...engines, source: stream, states: engines.projectorStates, touch: commandApi.touch, config: config.projectors, logger, clock,
    instance: 'embedded',
  });
  resources.add(projectors, (running) => running.close());
  const ready = async (): Promise<Record<string, string>> => {
    await Promise.all([engines.graph.ping(), journal.ping()]);
    return { graph: 'connected', journal: 'connected' };
  };
  const handlers = { ...commandApi.handlers, ...queryApi.handlers, ...createEdgeHandlers({ ready, openapi: openApiDocument({ version }) }) };
  return {
    app: createApp({ handlers, tokens: config.edge.tokens, allowedOrigins: config.edge.allowedOrigins, logger, ids }),
    settled: () => projectors.settled(),
    close: () => resources.close(),
  };
}
