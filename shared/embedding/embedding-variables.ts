/** The variables that choose and set the embedder. */
import type { Values, Variable } from '../kernel/config.js';

export const embeddingVariables = [
  {
    name: 'EMBEDDING_PROVIDER',
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'bundled', 'local', 'openai', 'ollama', 'voyage', 'placeholder'],
    description:
      'Who makes vectors. `auto`: Voyage, OpenAI, Ollama, the first that is configured and usable, else the bundled encoder. `local` means `bundled`; `placeholder` is refused.',
  },
  {
    name: 'VECTOR_SIZE',
    aliases: ['QDRANT_VECTOR_SIZE'],
    kind: 'integer',
    minimum: 1,
    maximum: 4_096,
    description:
      'Numbers in a vector. Unset: 512 for the bundled encoder, 1024 where a size can be asked for, else what the model makes.',
  },
  {
    name: 'EMBEDDING_WORKERS',
    kind: 'integer',
    minimum: 1,
    maximum: 16,
    default: '1',
    description: 'Threads of the bundled encoder; each takes a core and about 140 MB.',
  },
  {
    name: 'EMBEDDING_BATCH_SIZE',
    kind: 'integer',
    minimum: 1,
    maximum: 128,
    default: '32',
    description: 'Texts in one call to a remote provider.',
  },
  {
    name: 'EMBEDDING_TIMEOUT_MS',
    kind: 'integer',
    minimum: 100,
    default: '30000',
    unit: 'ms',
    description: 'How long one call to a remote provider may take; it is tried three times.',
  },
  {
    name: 'QUERY_VECTOR_LIMIT',
    kind: 'integer',
    minimum: 1,
    default: '1000',
    description: 'Recent queries whose vectors are remembered.',
  },
  { name: 'OPENAI_API_KEY', kind: 'secret', description: 'Key of OpenAI or of a compatible server.' },
  {
    name: 'OPENAI_BASE_URL',
    kind: 'text',
    description: 'Address of a server that speaks the OpenAI API. Unset: https://api.openai.com/v1.',
  },
  {
    name: 'EMBEDDING_MODEL',
    kind: 'text',
    default: 'text-embedding-3-small',
    description:
      'Model of OpenAI or the compatible server. The small one becomes text-embedding-3-large above 1536 numbers.',
  },
  { name: 'OLLAMA_BASE_URL', kind: 'text', description: 'Address of Ollama. Unset: http://localhost:11434.' },
  { name: 'OLLAMA_MODEL', kind: 'text', description: 'Model of Ollama. Unset: nomic-embed-text.' },
  { name: 'VOYAGE_API_KEY', kind: 'secret', description: 'Key of Voyage AI.' },
  {
    name: 'VOYAGE_BASE_URL',
    kind: 'text',
    default: 'https://api.voyageai.com/v1',
    description: 'Address of Voyage AI.',
  },
  { name: 'VOYAGE_MODEL', kind: 'text', default: 'voyage-4', description: 'Model of Voyage AI.' },
] as const satisfies readonly Variable[];

export type EmbeddingSettings = Values<typeof embeddingVariables>;
