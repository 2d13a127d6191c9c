/** Opens the vector index of the embedded composition with its embedder, and follows the active vector space. */
import type { Embedder } from '../../shared/embedding/embedder.js';
import type { EmbeddingSettings } from '../../shared/embedding/embedding-variables.js';
import type { Resources } from '../../shared/kernel/concurrency/resources.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import type { SqliteHost } from '../../shared/sqlite/host.js';
import { createEmbeddedIndexMark } from '../../shared/vectors/embedded/embedded-index-mark.js';
import { createEmbeddedVectorIndexes } from '../../shared/vectors/embedded/embedded-vector-indexes.js';
import { createEmbeddedPointReader } from '../../shared/vectors/embedded/read-points.js';
import { followWithEmbedder } from '../../shared/vectors/spaces/follow-with-embedder.js';
import { openSpaceEmbedder, withGiven } from '../../shared/vectors/spaces/open-space-embedder.js';
import { configuredProvider, createOpenTarget } from '../../shared/vectors/spaces/open-target.js';
import { routedEmbedder, routedIndex } from '../../shared/vectors/spaces/routed-vectors.js';
import { createSqliteVectorSpaces } from '../../shared/vectors/spaces/sqlite/sqlite-vector-spaces.js';
import { storedModel } from '../../shared/vectors/spaces/stored-model.js';
import type { VectorSpace } from '../../shared/vectors/spaces/vector-spaces.js';

export async function openSpaces({
  host,
  settings,
  given,
  instance,
  logger,
  metrics,
  resources,
}: {
  readonly host: SqliteHost;
  readonly settings: EmbeddingSettings;
  /** Replaces the configured embedder. */
  readonly given: Embedder | undefined;
  readonly instance: string;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  readonly resources: Resources;
}) {
  const spaces = createSqliteVectorSpaces({ host });
  const indexes = createEmbeddedVectorIndexes({ host });
  if (given) resources.add(given, (open) => open.close());
  const opening = { settings, logger, metrics };
  const open = withGiven(given, createOpenTarget(opening));
  const inBackground = withGiven(given, createOpenTarget({ ...opening, isBackground: true }));
  const openEmbedder = (space: Pick<VectorSpace, 'model' | 'target'>) => openSpaceEmbedder(space, { open, logger });

  const follower = await followWithEmbedder({
    spaces,
    instance,
    firstEmbedder: async () => {
      const model = await storedModel(createEmbeddedPointReader({ host, space: 1 }));
      return model === null ? open(null) : openEmbedder({ model, target: null });
    },
    openEmbedder,
    openIndex: async (space) => ({ vectors: await indexes.openIndex(space) }),
    closeIndex: ({ vectors }) => vectors.close(),
    logger,
    resources,
  });
  const problem = await follower.firstAttempt;
  if (problem !== null) throw problem;
  const { dimension } = follower.opened().index.embedder;
  return {
    spaces,
    indexes,
    openTarget: open,
    openEmbedder: inBackground,
    configuredProvider: configuredProvider(settings),
    embedder: routedEmbedder(follower, dimension),
    vectors: routedIndex(follower, dimension),
    indexMark: createEmbeddedIndexMark({ host }),
  };
}
