/** The variables of the command side and the configuration built from them. */
import { outboundAddresses } from '../shared/http/outbound-address.js';
import { type Environment, readVariables, type Variable } from '../shared/kernel/config/config.js';

export const commandVariables = [
  {
    name: 'MEMORY_CONTENT_SOFT_LIMIT',
    kind: 'integer',
    minimum: 1,
    maximum: 50_000,
    default: '500',
    unit: 'characters',
    description:
      'Longer content is summarised by the language model, if one is configured; the original is kept in metadata.',
  },
  {
    name: 'MEMORY_CONTENT_HARD_LIMIT',
    kind: 'integer',
    minimum: 1,
    maximum: 50_000,
    default: '2000',
    unit: 'characters',
    description: 'Longer content is refused.',
  },
  {
    name: 'MEMORY_AUTO_SUMMARIZE',
    kind: 'flag',
    default: 'true',
    description: 'Summarise content above the soft limit.',
  },
  {
    name: 'MEMORY_SUMMARY_TARGET_LENGTH',
    kind: 'integer',
    minimum: 40,
    maximum: 50_000,
    default: '300',
    unit: 'characters',
    description: 'The target length of a summary.',
  },
  {
    name: 'VECTOR_WAIT_MS',
    kind: 'integer',
    minimum: 0,
    maximum: 60_000,
    default: '5000',
    unit: 'ms',
    description:
      'How long an answer waits until the index has a supplied embedding, or the embedding of changed content.',
  },
  {
    name: 'VECTOR_BATCH_WAIT_MS',
    kind: 'integer',
    minimum: 0,
    maximum: 60_000,
    default: '20000',
    unit: 'ms',
    description: 'The same for a batch; below the 25 s after which clients time out.',
  },
] as const satisfies readonly Variable[];

export type CommandConfig = ReturnType<typeof commandConfig>;

export function commandConfig(environment: Environment) {
  const values = readVariables(commandVariables, environment);
  return {
    contentHardLimit: values.MEMORY_CONTENT_HARD_LIMIT,
    summary: {
      isOn: values.MEMORY_AUTO_SUMMARIZE,
      contentSoftLimit: values.MEMORY_CONTENT_SOFT_LIMIT,
      targetLength: values.MEMORY_SUMMARY_TARGET_LENGTH,
    },
    vectorWaitMs: values.VECTOR_WAIT_MS,
    vectorBatchWaitMs: values.VECTOR_BATCH_WAIT_MS,
    webhookAddresses: outboundAddresses(environment),
  };
}
