/** Checks that the embedder of a vector space can be opened and makes vectors, before anything is changed. */
import { ConfigurationError } from '../kernel/config/config.js';
import { ConflictError, PoisonError, ValidationError } from '../kernel/errors.js';
import type { Embedder } from '../ports/embedder.js';
import type { EmbeddingTarget, OpenTarget, VectorSpace } from '../ports/vector-spaces.js';

type Probed = Pick<Embedder, 'model' | 'dimension'>;

const TEXT = 'How long is a vector?';

/** Throws ValidationError with the field that is wrong, and DependencyError for a provider that does not answer. */
export async function probeTarget(open: OpenTarget, target: EmbeddingTarget | null): Promise<Probed> {
  try {
    return await probe(open, target);
  } catch (error) {
    if (target === null || !isRefusal(error)) throw error;
    throw new ValidationError(`The embedder cannot be used: ${error.message}`, await wrongField(open, target));
  }
}

/** Throws ConflictError when the model of the space cannot be used any more. */
export async function probePrevious(
  open: OpenTarget,
  { target, model }: Pick<VectorSpace, 'target' | 'model'>,
): Promise<void> {
  const found = await probe(open, target).catch((error: unknown) => {
    if (isRefusal(error)) return error;
    throw error;
  });
  if ('model' in found && found.model === model) return;
  const reason = 'model' in found ? `the configured embedder is ${found.model}` : found.message;
  throw new ConflictError(`The previous vector index has vectors of ${model}, which cannot be used: ${reason}`);
}

async function probe(open: OpenTarget, target: EmbeddingTarget | null): Promise<Probed> {
  const embedder = await open(target);
  try {
    await embedder.embed([TEXT], { purpose: 'document' });
    return { model: embedder.model, dimension: embedder.dimension };
  } finally {
    await embedder.close();
  }
}

/** The first field without which the rest works. */
async function wrongField(open: OpenTarget, { provider, model }: EmbeddingTarget): Promise<string> {
  if (await isUsable(open, { provider, ...(model !== undefined && { model }) })) return 'vector_size';
  return model !== undefined && (await isUsable(open, { provider })) ? 'model' : 'provider';
}

async function isUsable(open: OpenTarget, target: EmbeddingTarget): Promise<boolean> {
  try {
    await probe(open, target);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof ConfigurationError || error instanceof PoisonError;
}
