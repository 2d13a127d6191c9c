/**
 * Opens the search by meaning: the vector index of the active space, and the embedder of its model for queries. Both
 * may become available late; until then recall works without them.
 */
import { expectedDimension } from '../shared/engines/models/choose-embedder.js';
import type { EmbeddingSettings } from '../shared/engines/models/embedding-variables.js';
import { createOpenTarget } from '../shared/engines/models/open-target.js';
import type { QdrantPorts } from '../shared/engines/qdrant/open.js';
import type { Resources } from '../shared/kernel/concurrency/resources.js';
import { ConfigurationError } from '../shared/kernel/config/config.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { Metrics } from '../shared/kernel/metrics/metrics.js';
import type { Embedder } from '../shared/ports/embedder.js';
import type { IndexMark } from '../shared/ports/index-mark.js';
import type { OpenTarget, VectorSpaces } from '../shared/ports/vector-spaces.js';
import type { VectorIndexReader } from '../shared/ports/vectors.js';
import { openSpaceEmbedder } from '../shared/spaces/open-space-embedder.js';
import { routedEmbedder, routedMark, routedReader } from '../shared/spaces/routed-vectors.js';
import { followSpaces } from '../shared/spaces/space-follower.js';

type Dependencies = {
  readonly settings: EmbeddingSettings;
  readonly qdrant: QdrantPorts;
  readonly spaces: VectorSpaces;
  /** Gives all tenants of the process one encoder. */
  readonly share: Parameters<typeof createOpenTarget>[0]['share'];
  readonly instance: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly resources: Resources;
};

export type VectorSearch = {
  readonly embedder: Embedder;
  readonly vectors: VectorIndexReader;
  readonly indexMark: IndexMark;
  readonly openTarget: OpenTarget;
};

/** Tries the index once before it resolves. Throws ConfigurationError for a problem that waiting cannot solve. */
export async function openVectorSearch({
  settings,
  qdrant,
  spaces,
  share,
  instance,
  logger,
  metrics,
  resources,
}: Dependencies): Promise<VectorSearch> {
  const openTarget = createOpenTarget({ settings, share, logger, metrics });
  const follower = resources.add(
    followSpaces({
      spaces,
      instance,
      logger,
      open: async (space) => {
        const vectors = await qdrant.openReader(space.number);
        const embedder = await openSpaceEmbedder(space, { open: openTarget, logger });
        return { embedder, vectors, mark: qdrant.mark(space.number) };
      },
      close: ({ embedder }) => embedder.close(),
    }),
    (running) => running.close(),
  );
  const problem = await follower.firstAttempt;
  if (problem instanceof ConfigurationError) throw problem;
  const expected = expectedDimension(settings) ?? UNKNOWN_DIMENSION;
  return {
    embedder: routedEmbedder(follower, expected),
    vectors: routedReader(follower, expected),
    indexMark: routedMark(follower),
    openTarget,
  };
}

/** Of a model that has not answered yet, while the index is not open either. */
const UNKNOWN_DIMENSION = 0;
