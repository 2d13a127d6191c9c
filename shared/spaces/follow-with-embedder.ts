/**
 * Follows the active vector space with its embedder, for a process that writes the index. Begins the first space where
 * there is none yet.
 */
import type { Resources } from '../kernel/concurrency/resources.js';
import type { Logger } from '../kernel/logger.js';
import type { Embedder } from '../ports/embedder.js';
import type { VectorSpace, VectorSpaces } from '../ports/vector-spaces.js';
import { followSpaces, type SpaceFollower } from './space-follower.js';

/** Resolves before the index of the active space is open: the caller waits for it as long as its composition allows. */
export async function followWithEmbedder<I extends object>({
  spaces,
  instance,
  firstEmbedder,
  openEmbedder,
  openIndex,
  closeIndex = async () => undefined,
  retry = (attempt) => attempt(),
  logger,
  resources,
}: {
  readonly spaces: Pick<VectorSpaces, 'active' | 'begin' | 'report'>;
  readonly instance: string;
  /**
   * Opens the embedder of the stored vectors, or the configured one where there are none. Called only without a space.
   */
  readonly firstEmbedder: () => Promise<Embedder>;
  readonly openEmbedder: (space: VectorSpace) => Promise<Embedder>;
  readonly openIndex: (space: Pick<VectorSpace, 'number' | 'dimension'>) => Promise<I>;
  readonly closeIndex?: (index: I) => Promise<void>;
  /** Repeats the beginning while the stores start. */
  readonly retry?: <T>(attempt: () => Promise<T>) => Promise<T>;
  readonly logger: Logger;
  readonly resources: Resources;
}): Promise<SpaceFollower<I & { readonly embedder: Embedder }>> {
  /** The embedder of the space that this process began. Opening it a second time would take seconds. */
  let begun = await retry(async () => {
    if ((await spaces.active()) !== null) return null;
    const embedder = await firstEmbedder();
    await spaces.begin({ model: embedder.model, dimension: embedder.dimension, target: null });
    return embedder;
  });
  return resources.add(
    followSpaces({
      spaces,
      instance,
      logger,
      open: async (space) => {
        const embedder = begun ?? (await openEmbedder(space));
        begun = null;
        return { ...(await openIndex({ number: space.number, dimension: embedder.dimension })), embedder };
      },
      close: async (index) => {
        await closeIndex(index);
        await index.embedder.close();
      },
    }),
    (running) => running.close(),
  );
}
