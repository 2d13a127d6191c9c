/** The configuration variables of the enricher. The contract fixes their names and defaults. */
import { type Environment, readVariables, type Variable } from '../../shared/kernel/config/config.js';
import type { SimilarityConfig } from './derive-similar.js';

export const enricherVariables = [
  {
    name: 'ENRICHMENT_MAX_ATTEMPTS',
    kind: 'integer',
    minimum: 1,
    default: '3',
    description: 'Attempts before the enrichment of a memory counts as failed.',
  },
  {
    name: 'ENRICHMENT_FAILURE_BACKOFF_SECONDS',
    kind: 'number',
    minimum: 0,
    maximum: 300,
    default: '5',
    unit: 's',
    description: 'How long the enricher waits before it tries a memory again.',
  },
  {
    name: 'ENRICHMENT_SIMILARITY_LIMIT',
    kind: 'integer',
    minimum: 0,
    maximum: 50,
    default: '5',
    description: 'Largest number of similar memories that a memory is associated with.',
  },
  {
    name: 'ENRICHMENT_SIMILARITY_THRESHOLD',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    default: '0.8',
    description: 'Smallest cosine similarity at which two memories count as similar.',
  },
  {
    name: 'ENRICHMENT_ENABLE_SUMMARIES',
    kind: 'flag',
    default: 'true',
    description: 'Whether enrichment gives a memory a summary.',
  },
] as const satisfies readonly Variable[];

export type EnricherConfig = {
  readonly maxAttempts: number;
  readonly failureBackoffMs: number;
  readonly similarity: SimilarityConfig;
  readonly summaries: boolean;
};

/** Throws one ConfigurationError that lists every problem. */
export function enricherConfig(environment: Environment): EnricherConfig {
  const values = readVariables(enricherVariables, environment);
  return {
    maxAttempts: values.ENRICHMENT_MAX_ATTEMPTS,
    failureBackoffMs: values.ENRICHMENT_FAILURE_BACKOFF_SECONDS * 1_000,
    similarity: { limit: values.ENRICHMENT_SIMILARITY_LIMIT, threshold: values.ENRICHMENT_SIMILARITY_THRESHOLD },
    summaries: values.ENRICHMENT_ENABLE_SUMMARIES,
  };
}
