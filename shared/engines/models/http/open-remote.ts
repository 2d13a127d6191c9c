/**
 * Opens one remote provider: checks that it is configured, accepts our key and makes vectors of the configured size.
 */
import { ConfigurationError } from '../../../kernel/config/config.js';
import { DependencyError, PoisonError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Embedder } from '../../../ports/embedder.js';
import type { EmbeddingSettings } from '../embedding-variables.js';
import { createHttpEmbedder, measureDimension } from './http-embedder.js';
import { type Plan, planRemote, type RemoteName, type Unusable } from './plan-remote.js';
import { ProviderRefusedError } from './post-json.js';

/** Longest time that the start waits for a provider. */
const PROBE_TIMEOUT_MS = 5_000;

/**
 * Requests one vector from the provider. Unusable: it refuses the request, or does not answer while its vector size is
 * unknown. Opened: it answers, or does not answer while its size is known, because it may come back; until then,
 * recalls use keywords. Throws ConfigurationError when its vectors have a size other than the configured one.
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
        return { kind: 'unusable', problem: `${probe.problem}. Or set VECTOR_SIZE, so that the start needs no answer` };
      logger.warn(
        { provider: name, problem: probe.problem },
        'embedding provider does not answer, the service starts without it',
      );
      return { kind: 'opened', embedder: open(plan, wanted, settings) };
    case 'measured':
      if (wanted !== undefined && wanted !== probe.dimension) {
        throw new ConfigurationError([
          `The vector size is configured as ${wanted}, but the model of ${name} makes vectors of ${probe.dimension}: set VECTOR_SIZE=${probe.dimension}, or another model`,
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
