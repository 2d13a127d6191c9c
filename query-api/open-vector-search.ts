/**
 * Opens the search by meaning: the vector index of the active space, and the embedder of its model for queries. Both may become available late;
 * until then recall works without them.
 */
import { expectedDimension } from '../shared/embedding/choose-embedder.js';
import type { Embedder } from '../shared/embedding/embedder.js';
import type { EmbeddingSettings } from '../shared/embedding/embedding-variables.js';
import type { Resources } from '../shared/kernel/concurrency/resources.js';
import { ConfigurationError } from '../shared/kernel/config/config.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { Metrics } from '../shared/kernel/metrics/metrics.js';
import type { Postgres } from '../shared/postgres/postgres.js';
import type { IndexMark } from '../shared/vectors/index-mark.js';
import { openQdrantVectorReader } from '../shared/vectors/qdrant/open-qdrant-vector-reader.js';
import { createQdrantIndexMark } from '../shared/vectors/qdrant/qdrant-index-mark.js';
import type { QdrantConfig } from '../shared/vectors/qdrant/qdrant-variables.js';
import { openSpaceEmbedder } from '../shared/vectors/spaces/open-space-embedder.js';
import { createOpenTarget } from '../shared/vectors/spaces/open-target.js';
import { createPostgresVectorSpaces } from '../shared/vectors/spaces/postgres/postgres-vector-spaces.js';
import type { OpenTarget } from '../shared/vectors/spaces/probe-target.js';
import { routedEmbedder, routedMark, routedReader } from '../shared/vectors/spaces/routed-vectors.js';
import { followSpaces } from '../shared/vectors/spaces/space-follower.js';
import type { VectorSpaces } from '../shared/vectors/spaces/vector-spaces.js';
import type { VectorIndexReader } from '../shared/vectors/vectors.js';

type Dependencies = {
  readonly settings: EmbeddingSettings;
  readonly qdrant: QdrantConfig;
  readonly postgres: Postgres;
  readonly instance: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly resources: Resources;
};

export type VectorSearch = {
  readonly spaces: VectorSpaces;
  readonly embedder: Embedder;
  readonly vectors: VectorIndexReader;
  readonly indexMark: IndexMark;
  readonly openTarget: OpenTarget;
};

/** Tries the index once before it resolves. Throws ConfigurationError for a problem that waiting cannot solve. */
export async function openVectorSearch({
  settings,
  qdrant,
  postgres,
  instance,
  logger,
  metrics,
  resources,
}: Dependencies): Promise<VectorSearch> {
  const spaces = createPostgresVectorSpaces({ postgres });
  const openTarget = createOpenTarget({ settings, logger, metrics });
  const follower = resources.add(
    followSpaces({
      spaces,
      instance,
      logger,
      open: async (space) => {
        const vectors = await openQdrantVectorReader({ config: qdrant, number: space.number });
        const embedder = await openSpaceEmbedder(space, { open: openTarget, logger });
        return { embedder, vectors, mark: createQdrantIndexMark({ config: qdrant, number: space.number }) };
      },
      close: ({ embedder }) => embedder.close(),
    }),
    (running) => running.close(),
  );
  const problem = await follower.firstAttempt;
  if (problem instanceof ConfigurationError) throw problem;
  const expected = expectedDimension(settings) ?? UNKNOWN_DIMENSION;
  return {
    spaces,
    embedder: routedEmbedder(follower, expected),
    vectors: routedReader(follower, expected),
    indexMark: routedMark(follower),
    openTarget,
  };
}

/** Of a model that has not answered yet, while the index is not open either. */
const UNKNOWN_DIMENSION = 0;
