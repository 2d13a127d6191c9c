/** The variables of the projectors. */
import { readVariables, type Environment, type Variable } from '../shared/kernel/config.js';
import { readParts } from '../shared/kernel/read-parts.js';
import { ACCESS_FLUSH_MS } from './access-recorder/create-access-recorder.js';
import { enricherConfig, type EnricherConfig } from './enricher/enricher-config.js';
import { BATCH_EVENTS, STATE_SAVE_MS } from './run-projector.js';

export const projectorVariables = [
  {
    name: 'PROJECTOR_BATCH_EVENTS', kind: 'integer', minimum: 1, maximum: 1_000, default: String(BATCH_EVENTS),
    description: 'Events that a projector takes at once.',
  },
  {
    name: 'PROJECTOR_STATE_SAVE_MS', kind: 'integer', minimum: 100, maximum: 10_000, default: String(STATE_SAVE_MS), unit: 'ms',
    description: 'How often a projector gives a sign of life, with what its status routes show; after 15 s without one it is taken for dead.',
  },
  {
    name: 'ACCESS_FLUSH_MS', kind: 'integer', minimum: 10, default: String(ACCESS_FLUSH_MS), unit: 'ms',
    description: 'How often the times of recalls are written to `last_accessed`.',
  },
] as const satisfies readonly Variable[];

export type ProjectorConfig = {
  readonly batchSize: number;
  readonly stateSaveMs: number;
  readonly accessFlushMs: number;
  readonly enricher: EnricherConfig;
};

/** Throws ConfigurationError with every problem at once. */
export function projectorConfig(environment: Environment): ProjectorConfig {
  const { own, enricher } = readParts({ own: () => readVariables(projectorVariables, environment), enricher: () => enricherConfig(environment) });
  return { batchSize: own.PROJECTOR_BATCH_EVENTS, stateSaveMs: own.PROJECTOR_STATE_SAVE_MS, accessFlushMs: own.ACCESS_FLUSH_MS, enricher };
}
