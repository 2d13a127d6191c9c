/** The configuration variables of the embedder. */
import type { Values, Variable } from '../../kernel/config/config.js';

export const embeddingVariables = [
  {
    name: 'EMBEDDING_PROVIDER',
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'bundled', 'local', 'openai', 'ollama', 'voyage', 'placeholder'],
    description:
      'The provider of vectors. `auto`: the first of Voyage, OpenAI and Ollama that is configured and usable, else the bundled encoder. `local` means `bundled`; `placeholder` is rejected.',
  },
  {
    name: 'VECTOR_SIZE',
    aliases: ['QDRANT_VECTOR_SIZE'],
    kind: 'integer',
    minimum: 1,
    maximum: 4_096,
    description:
      'Numbers in a vector. Unset: 384 for the bundled encoder, 1024 for models with a selectable size, else the size of the model.',
  },
  {
    name: 'EMBEDDING_WORKERS',
    kind: 'integer',
    minimum: 1,
    maximum: 16,
    default: '1',
    description: 'Processes of the bundled encoder; each uses one core and about 215 MB.',
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
    description: 'Timeout of one call to a remote provider; a call is tried three times.',
  },
  { name: 'OPENAI_API_KEY', kind: 'secret', description: 'API key of OpenAI or of a compatible server.' },
  {
    name: 'OPENAI_BASE_URL',
    kind: 'text',
    description: 'URL of a server with the OpenAI API. Unset: https://api.openai.com/v1.',
  },
  {
    name: 'EMBEDDING_MODEL',
    kind: 'text',
    default: 'text-embedding-3-small',
    description:
      'Model of OpenAI or the compatible server. text-embedding-3-small becomes text-embedding-3-large above 1536 numbers.',
  },
  { name: 'OLLAMA_BASE_URL', kind: 'text', description: 'URL of Ollama. Unset: http://localhost:11434.' },
  { name: 'OLLAMA_MODEL', kind: 'text', description: 'Model of Ollama. Unset: nomic-embed-text.' },
  { name: 'VOYAGE_API_KEY', kind: 'secret', description: 'API key of Voyage AI.' },
  {
    name: 'VOYAGE_BASE_URL',
    kind: 'text',
    default: 'https://api.voyageai.com/v1',
    description: 'URL of Voyage AI.',
  },
  { name: 'VOYAGE_MODEL', kind: 'text', default: 'voyage-4', description: 'Model of Voyage AI.' },
] as const satisfies readonly Variable[];

export type EmbeddingSettings = Values<typeof embeddingVariables>;
