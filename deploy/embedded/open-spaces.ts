/** Opens the vector index of the embedded composition with its embedder, and follows the active vector space. */
import type { EmbeddingSettings } from '../../shared/engines/models/embedding-variables.js';
import { configuredProvider, createOpenTarget } from '../../shared/engines/models/open-target.js';
import type { ShareEmbedder } from '../../shared/engines/models/share-embedders.js';
import type { SqlitePorts } from '../../shared/engines/sqlite/open.js';
import type { Resources } from '../../shared/kernel/concurrency/resources.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import type { Embedder } from '../../shared/ports/embedder.js';
import type { VectorSpace } from '../../shared/ports/vector-spaces.js';
import { followWithEmbedder } from '../../shared/spaces/follow-with-embedder.js';
import { openSpaceEmbedder, withGiven } from '../../shared/spaces/open-space-embedder.js';
import { routedEmbedder, routedIndex } from '../../shared/spaces/routed-vectors.js';
import { storedModel } from '../../shared/spaces/stored-model.js';

export async function openSpaces({
  sqlite: { spaces, indexes, pointReader },
  settings,
  given,
  shareEmbedder,
  logger,
  metrics,
  resources,
}: {
  readonly sqlite: Pick<SqlitePorts, 'spaces' | 'indexes' | 'pointReader'>;
  readonly settings: EmbeddingSettings;
  /** Replaces the configured embedder. */
  readonly given: Embedder | undefined;
  readonly shareEmbedder: ShareEmbedder | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  readonly resources: Resources;
}) {
  if (given) resources.add(given, (open) => open.close());
  const opening = { settings, logger, metrics, share: shareEmbedder };
  const open = withGiven(given, createOpenTarget(opening));
  const inBackground = withGiven(given, createOpenTarget({ ...opening, isBackground: true }));
  const openEmbedder = (space: Pick<VectorSpace, 'model' | 'target'>) => openSpaceEmbedder(space, { open, logger });

  const follower = await followWithEmbedder({
    spaces,
    instance: 'embedded',
    firstEmbedder: async () => {
      const model = await storedModel(pointReader(1));
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
    openTarget: open,
    openEmbedder: inBackground,
    configuredProvider: configuredProvider(settings),
    embedder: routedEmbedder(follower, dimension),
    vectors: routedIndex(follower, dimension),
  };
}
