/** The size of vectors that these settings lead to, for those who make none themselves. Pure: nobody is asked. */
import { BUNDLED_DIMENSION } from './bundled/create-bundled-embedder.js';
import { providersFor } from './choose-embedder.js';
import type { EmbeddingSettings } from './embedding-variables.js';
import { planRemote } from './http/plan-remote.js';

/** Null where it is the model's own, and so to be learnt from it or from what it has made. Throws ConfigurationError as the choice does. */
export function expectedDimension(settings: EmbeddingSettings): number | null {
  if (settings.VECTOR_SIZE !== undefined) return settings.VECTOR_SIZE;
  const [provider] = providersFor(settings);
  if (provider === undefined || provider === 'bundled') return BUNDLED_DIMENSION;
  const plan = planRemote(provider, settings);
  return plan.kind === 'planned' ? plan.dimension : null;
}
