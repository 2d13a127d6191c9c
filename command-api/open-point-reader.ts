/** Opens the points of the active vector space, for their versions alone: the command side needs no embedder. */
import type { QdrantPorts } from '../shared/engines/qdrant/open.js';
import type { StartContext } from '../shared/http/run-service.js';
import { ConfigurationError } from '../shared/kernel/config/config.js';
import { DependencyError } from '../shared/kernel/errors.js';
import type { VectorSpaces } from '../shared/ports/vector-spaces.js';
import { routedReader } from '../shared/spaces/routed-vectors.js';
import { followSpaces } from '../shared/spaces/space-follower.js';
import type { CommandProcessConfig } from './process-config.js';

/** Tries the index once before it resolves. Throws ConfigurationError for a problem that waiting cannot solve. */
export async function openPointReader({
  spaces,
  qdrant,
  vectorSize,
  instance,
  logger,
  resources,
}: {
  readonly spaces: VectorSpaces;
  readonly qdrant: QdrantPorts;
  /** As configured; null: of the stored vectors. */
  readonly vectorSize: number | null;
} & Pick<StartContext<CommandProcessConfig>, 'instance' | 'logger' | 'resources'>) {
  const follower = resources.add(
    followSpaces({
      spaces,
      instance,
      open: async ({ number }) => ({ vectors: await qdrant.openReader(number) }),
      close: async () => undefined,
      logger,
    }),
    (opened) => opened.close(),
  );
  const problem = await follower.firstAttempt;
  if (problem instanceof ConfigurationError) throw problem;
  const vectors = routedReader(follower, vectorSize);
  return { vectors, vectorSize: () => vectors.dimension ?? unknownSize() };
}

function unknownSize(): never {
  throw new DependencyError(
    'vectors',
    'The vector size is unknown while Qdrant does not answer: try again, or leave the embedding out',
  );
}
