/** Lets the start of a process wait for the bundled encoder, so that the first caller does not. */
import { DependencyError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Embedder } from '../../../ports/embedder.js';
import { BUNDLED_MODEL } from './bundled-embedder.js';

/**
 * Resolves when the bundled encoder has made a vector. The first one takes as long as loading the model. A remote
 * provider is not asked, and a failure does not stop the start: the encoder starts again by itself.
 */
export async function warmUpEncoder(embedder: Embedder, logger: Logger): Promise<void> {
  try {
    if (embedder.model !== BUNDLED_MODEL) return;
    await embedder.embed(['A first text'], { purpose: 'document' });
  } catch (error) {
    if (!(error instanceof DependencyError)) throw error;
    logger.warn({ err: error }, 'bundled encoder is not ready at the start');
  }
}
