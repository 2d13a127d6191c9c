/** Opens one remote provider: is it configured, does it let us in, and does it make vectors of the size that is wanted? */
import { ConfigurationError } from '../../kernel/config.js';
import { DependencyError, PoisonError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import type { Embedder } from '../embedder.js';
import type { EmbeddingSettings } from '../embedding-variables.js';
import { createHttpEmbedder, measureDimension } from './create-http-embedder.js';
import { planRemote, type Plan, type RemoteName, type Unusable } from './plan-remote.js';
import { ProviderRefusedError } from './post-json.js';

/** The start does not wait longer than this to learn whether a provider is there. */
const PROBE_TIMEOUT_MS = 5_000;

/**
 * Asks the provider for one vector. Refused, or silent while its size is unknown: unusable. Silent with a known size: opened, since
 * it may come back, and until then keywords serve recalls. Throws ConfigurationError when it makes another size than is wanted.
 */
export async function openRemote(
  name: RemoteName,
  settings: EmbeddingSettings,
  logger: Logger,
): Promise<{ readonly kind: 'opened'; readonly embedder: Embedder } | Unusable> {
  const plan = planRemote(name, settings);
  if (plan.kind === 'unusable') return plan;
  const wanted = plan.dimension ?? settings.VECTOR_SIZE;
  const probe = await probeOnce(plan);
  switch (probe.kind) {
    case 'refused':
      return { kind: 'unusable', problem: probe.problem };
    case 'silent':
      if (wanted === undefined)
        return { kind: 'unusable', problem: `${probe.problem}. Or set VECTOR_SIZE, so that the start need not ask` };
      logger.warn(
        { provider: name, problem: probe.problem },
        'The embedding provider does not answer; the service starts and waits for it',
      );
      return { kind: 'opened', embedder: open(plan, wanted, settings) };
    case 'measured':
      if (wanted !== undefined && wanted !== probe.dimension) {
        throw new ConfigurationError([
          `VECTOR_SIZE is to be ${wanted}, but the model of ${name} makes vectors of ${probe.dimension}: set VECTOR_SIZE=${probe.dimension}, or another model`,
        ]);
      }
      return { kind: 'opened', embedder: open(plan, probe.dimension, settings) };
    default:
      return probe satisfies never;
  }
}

function open(plan: Plan, dimension: number, settings: EmbeddingSettings): Embedder {
  const provider = plan.provider({ timeoutMs: settings.EMBEDDING_TIMEOUT_MS });
  return createHttpEmbedder({ provider, dimension, batchSize: settings.EMBEDDING_BATCH_SIZE });
}

type Probe =
  | { readonly kind: 'measured'; readonly dimension: number }
  | { readonly kind: 'refused' | 'silent'; readonly problem: string };

async function probeOnce(plan: Plan): Promise<Probe> {
  const provider = plan.provider({ timeoutMs: PROBE_TIMEOUT_MS, retryDelaysMs: [] });
  try {
    return { kind: 'measured', dimension: await measureDimension(provider, plan.dimension) };
  } catch (error) {
    if (error instanceof ProviderRefusedError || error instanceof PoisonError)
      return { kind: 'refused', problem: error.message };
    if (error instanceof DependencyError) return { kind: 'silent', problem: error.message };
    throw error;
  }
}
