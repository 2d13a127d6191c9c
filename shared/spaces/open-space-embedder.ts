/**
 * Opens the embedder of a vector space, whatever the variables say by now: an index never holds vectors of two models.
 */
import { ConfigurationError } from '../kernel/config/config.js';
import { DependencyError } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import type { Embedder } from '../ports/embedder.js';
import { type EmbeddingTarget, isRetiredModel, type OpenTarget, type VectorSpace } from '../ports/vector-spaces.js';

const PROVIDERS: readonly EmbeddingTarget['provider'][] = ['bundled', 'openai', 'ollama', 'voyage'];

/**
 * The embedder that makes the vectors of this space. If the variables name another model, the one of the space is
 * opened in its place, with a warning that says how to move. For a model that was retired, an embedder that makes no
 * vectors. Throws ConfigurationError when the variables do not allow that.
 */
export async function openSpaceEmbedder(
  space: Pick<VectorSpace, 'model' | 'target'>,
  { open, logger }: { readonly open: OpenTarget; readonly logger: Logger },
): Promise<Embedder> {
  if (isRetiredModel(space.model)) return retiredEmbedder(space.model, logger);
  const embedder = await open(space.target);
  if (embedder.model === space.model) return embedder;
  await embedder.close();
  const stored = await openModel(space.model, open);
  if (stored === null) throw otherModelError(space.model, embedder.model);
  logger.warn(
    { index: space.model, configured: embedder.model },
    'the vector index has vectors of another model than configured, and goes on with its own: move with POST /admin/projections/vectors/rebuild',
  );
  return stored;
}

/** Its index serves until the rebuild that a projector starts has replaced it; recall searches by words meanwhile. */
function retiredEmbedder(model: string, logger: Logger): Embedder {
  const reason = `the vector index has vectors of ${model}, which this release no longer makes`;
  logger.warn({ model }, `${reason}: it is rebuilt, GET /admin/jobs shows the progress`);
  return {
    model,
    dimension: Number(model.split('/')[2]),
    embed: async () => {
      throw new DependencyError('embedding', `${reason}: wait for the end of its rebuild, GET /admin/jobs shows it`);
    },
    close: async () => undefined,
  };
}

/** Null when no provider makes vectors of this model with the present variables. */
async function openModel(model: string, open: OpenTarget): Promise<Embedder | null> {
  const target = targetOf(model);
  if (target === null) return null;
  try {
    const embedder = await open(target);
    if (embedder.model === model) return embedder;
    await embedder.close();
    return null;
  } catch (error) {
    if (error instanceof ConfigurationError) return null;
    throw error;
  }
}

function otherModelError(stored: string, configured: string): ConfigurationError {
  return new ConfigurationError([
    `the vector index has vectors of ${stored}, but the embedding variables name ${configured}: set EMBEDDING_PROVIDER and its variables to the former model again, ` +
      'start, and move with POST /admin/projections/vectors/rebuild',
  ]);
}

/** From the name of a model: `provider/model/dimension`. Null for a name of another form. */
function targetOf(name: string): EmbeddingTarget | null {
  const [first, ...rest] = name.split('/');
  const provider = PROVIDERS.find((known) => known === first);
  if (provider === 'bundled') return { provider };
  const vectorSize = Number(rest.at(-1));
  const model = rest.slice(0, -1).join('/');
  if (provider === undefined || model === '' || !Number.isSafeInteger(vectorSize)) return null;
  return { provider, model, vectorSize };
}

/** A given embedder replaces the configured one. Its owner closes it, because several spaces may use it. */
export function withGiven(given: Embedder | undefined, open: OpenTarget): OpenTarget {
  if (given === undefined) return open;
  const shared: Embedder = {
    model: given.model,
    dimension: given.dimension,
    embed: (texts, options) => given.embed(texts, options),
    close: async () => undefined,
  };
  return async (target) => (target === null ? shared : open(target));
}
