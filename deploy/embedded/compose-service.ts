/**
 * All rooms of the service in one process, behind one HTTP surface: the command side, the projectors and the query side over engines
 * that somebody opened. Which ones stand behind the ports makes no difference here.
 */
import { createCommandApi } from '../../command-api/create-command-api.js';
import { createProjectors } from '../../projectors/create-projectors.js';
import { createQueryApi, type QueryApiDependencies } from '../../query-api/create-query-api.js';
import { createActivityFeed } from '../../query-api/stream/create-activity-feed.js';
import type { Committer } from '../../shared/commit/committer.js';
import type { EmbeddingCache } from '../../shared/embedding/embedder.js';
import type { GraphWriter } from '../../shared/graph/graph.js';
import { createApp, type EdgeApp } from '../../shared/http/create-app.js';
import { demandAnswers } from '../../shared/http/demand-answers.js';
import { createEdgeHandlers } from '../../shared/http/edge-handlers.js';
import { openApiDocument } from '../../shared/http/openapi.js';
import type { Clock, Ids } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Resources } from '../../shared/kernel/resources.js';
import { createLanguageModel } from '../../shared/language/language-variables.js';
import type { EventPublisher, EventSource } from '../../shared/stream/stream.js';
import type { VectorIndexReader, VectorIndexWriter } from '../../shared/vectors/vectors.js';
import type { EmbeddedConfig } from './config.js';
import { serveOwnMcp } from './serve-own-mcp.js';
import { settleAll } from './settle-all.js';

export type Engines = Pick<
  QueryApiDependencies,
  'graph' | 'journal' | 'deadLetters' | 'projectorStates' | 'embedder' | 'outbox'
> & {
  readonly graphWriter: GraphWriter;
  readonly cache: EmbeddingCache;
  readonly stream: Pick<EventPublisher, 'notify'> & EventSource;
  readonly vectors: VectorIndexReader & VectorIndexWriter;
};

export type Composed = {
  readonly app: EdgeApp;
  /** Everything in the stream has been projected, and what came of that as well. */
  readonly settled: () => Promise<void>;
};

/** What is started here is closed by `resources`, before the engines that were added to it earlier. */
export async function composeService({
  engines,
  committer,
  config,
  version,
  instance,
  logger,
  clock,
  ids,
  resources,
}: {
  readonly engines: Engines;
  readonly committer: Committer;
  readonly config: Pick<EmbeddedConfig, 'edge' | 'command' | 'query' | 'projectors' | 'language' | 'mcp'>;
  readonly version: string;
  readonly instance: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly resources: Resources;
}): Promise<Composed> {
  const { stream, vectors } = engines;
  const language = createLanguageModel(config.language, { logger, clock });
  const commandApi = createCommandApi({
    ...engines,
    committer,
    language,
    clock,
    ids,
    logger,
    vectorSize: () => vectors.dimension,
    config: config.command,
  });
  const activity = resources.add(createActivityFeed({ source: stream, instance, logger }), (feed) => feed.close());
  const queryApi = createQueryApi({
    ...engines,
    publisher: stream,
    activity,
    instance,
    config: config.query,
    clock,
    logger,
    about: { version, graph: 'memories', vectorSize: vectors.dimension },
  });
  const projectors = await createProjectors({
    ...engines,
    source: stream,
    publisher: stream,
    states: engines.projectorStates,
    touch: commandApi.touch,
    recordEnrichments: commandApi.recordEnrichments,
    config: config.projectors,
    logger,
    clock,
    instance,
  });
  resources.add(projectors, (running) => running.close());
  const ready = () => demandAnswers({ graph: () => engines.graph.ping(), journal: () => engines.journal.ping() });
  const handlers = {
    ...commandApi.handlers,
    ...queryApi.handlers,
    ...createEdgeHandlers({ ready, openapi: openApiDocument({ version }) }),
  };
  const beside = config.mcp === null ? {} : { beside: serveOwnMcp({ config: config.mcp, version, logger }) };
  return {
    app: createApp({
      handlers,
      tokens: config.edge.tokens,
      allowedOrigins: config.edge.allowedOrigins,
      logger,
      ids,
      ...beside,
    }),
    settled: () => settleAll({ journal: engines.journal, settle: projectors.settled }),
  };
}
