/**
 * Stores corpora in one service, each conversation under its tag, and runs a measurement on it. The vectors of the
 * service come from a cache file, so that only the first run encodes the texts (about 6 minutes for 6,000 texts).
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBundledEmbedder } from '../../../shared/engines/models/bundled/bundled-embedder.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import type { Embedder, EmbedOptions } from '../../../shared/ports/embedder.js';
import { type EmbeddingReply, startEmbeddingServer } from '../../support/servers/embedding-server.js';
import { cacheVectorsInFile } from '../measuring/cache-vectors-in-file.js';
import { type Target, TARGET_OPTIONS, type TargetOptions, withTarget } from '../measuring/run-bench.js';
import { type Corpus, storeConversations } from './dialogues.js';

/**
 * The options of the command line, for `parseArgs`. `--vectors FILE` names the cache, each `--variable NAME=VALUE` sets
 * a variable of the service. A running service (`--url`) keeps the memories of the files and uses its own encoder.
 */
export const SERVICE_OPTIONS = {
  ...TARGET_OPTIONS,
  vectors: { type: 'string', default: join(tmpdir(), 'palimpsest-bench-vectors.cache') },
  variable: { type: 'string', multiple: true, default: [] as string[] },
} as const;

export type ServiceOptions = Omit<TargetOptions, 'variables' | 'folder'> & {
  readonly vectors: string;
  readonly variable: readonly string[];
};

export type StoredCorpora<C extends Corpus = Corpus> = {
  readonly target: Target;
  readonly corpora: readonly C[];
  /** The source of each memory by the memory's id. */
  readonly sourceOf: ReadonlyMap<string, string>;
  /** The bundled encoder with the cache file. */
  readonly embedder: Embedder;
};

export async function withStoredCorpora<C extends Corpus>(
  corpora: readonly C[],
  { vectors, variable, ...options }: ServiceOptions,
  measure: (stored: StoredCorpora<C>) => Promise<void>,
): Promise<void> {
  const conversations = corpora.flatMap((corpus) => corpus.conversations);
  const embedder = await cacheVectorsInFile(await createBundledEmbedder(), vectors);
  const contents = new Set(conversations.flatMap(({ turns }) => turns.map(({ content }) => content)));
  const purposeOf = (texts: readonly string[]) => (texts.every((text) => contents.has(text)) ? 'document' : 'query');
  const server = await startEmbeddingServer(({ body: { input } }) => {
    const texts = input as readonly string[];
    return replyTo(embedder, texts, purposeOf(texts));
  });
  const variables = {
    EMBEDDING_PROVIDER: 'openai',
    LANGUAGE_PROVIDER: 'none',
    OPENAI_BASE_URL: server.url,
    EMBEDDING_MODEL: 'bench',
    EMBEDDING_TIMEOUT_MS: '600000',
    VECTOR_SIZE: String(embedder.dimension),
    RECALL_SOURCE_TIMEOUT_MS: '60000', // a busy machine must not change the results
    ...Object.fromEntries(variable.map((assignment) => assignment.split(/=(.*)/su).slice(0, 2))),
  };
  try {
    await embedder.embed([...contents], { purpose: 'document' });
    const questions = conversations.flatMap((conversation) => conversation.questions.map(({ question }) => question));
    await embedder.embed(questions, { purpose: 'query' });
    await withTarget({ ...options, variables }, async (target) =>
      measure({ target, corpora, embedder, sourceOf: await storeConversations(target, conversations) }),
    );
  } finally {
    await server.close();
    await embedder.close();
  }
}

async function replyTo(
  embedder: Embedder,
  texts: readonly string[],
  purpose: EmbedOptions['purpose'],
): Promise<EmbeddingReply> {
  try {
    const vectors = await embedder.embed(texts, { purpose });
    return { body: { data: vectors.map((vector, index) => ({ index, embedding: [...vector] })) } };
  } catch (error) {
    process.stderr.write(`encoding failed: ${messageOf(error)}\n`);
    return { status: 500 };
  }
}
