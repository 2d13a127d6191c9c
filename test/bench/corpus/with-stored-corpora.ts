/**
 * Stores corpora in one service, each conversation under its tag, and runs a measurement on it. The vectors of the service come from a cache
 * file, so that only the first run encodes the texts (about 15 minutes for 6,000 texts).
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBundledEmbedder } from '../../../shared/engines/models/bundled/bundled-embedder.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';
import { cacheVectorsInFile } from '../measuring/cache-vectors-in-file.js';
import { withEmbeddingServer } from '../measuring/with-embedding-server.js';
import { withService } from '../measuring/with-service.js';
import { type Corpus, storeConversations } from './dialogues.js';

/** The options of the command line, for `parseArgs`. */
export const SERVICE_OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  vectors: { type: 'string', default: join(tmpdir(), 'palimpsest-bench-vectors.cache') },
  variable: { type: 'string', multiple: true, default: [] as string[] },
} as const;

export const SERVICE_USAGE = '[--vectors FILE] [--variable NAME=VALUE ...] [--url URL] [--token TOKEN]';

export type ServiceOptions = {
  /** A running service, which keeps the memories of the files and uses its own encoder. Without it, a child process runs the service. */
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly vectors: string;
  /** Variables of the child process, each as NAME=VALUE. */
  readonly variable: readonly string[];
};

export type StoredCorpora<C extends Corpus = Corpus> = {
  readonly target: HttpCaller;
  readonly corpora: readonly C[];
  /** The source of each memory by the memory's id. */
  readonly sourceOf: ReadonlyMap<string, string>;
  /** The bundled encoder with the cache file. */
  readonly embedder: Embedder;
};

export async function withStoredCorpora<C extends Corpus>(
  corpora: readonly C[],
  { url, token, vectors, variable }: ServiceOptions,
  measure: (stored: StoredCorpora<C>) => Promise<void>,
): Promise<void> {
  const conversations = corpora.flatMap((corpus) => corpus.conversations);
  const embedder = await cacheVectorsInFile(await createBundledEmbedder(), vectors);
  const measureStored = async (target: HttpCaller): Promise<void> =>
    measure({ target, corpora, embedder, sourceOf: await storeConversations(target, conversations) });
  try {
    const texts = conversations.flatMap(({ turns, questions }) => [
      ...turns.map(({ content }) => content),
      ...questions.map(({ question }) => question),
    ]);
    await embedder.embed(texts, { purpose: 'document' });
    if (url !== undefined) await measureStored(createHttpCaller(url, token));
    else
      await withEmbeddingServer(embedder, (embedding) =>
        withService(measureStored, { ...SERVICE_VARIABLES, ...embedding, ...variablesOf(variable) }),
      );
  } finally {
    await embedder.close();
  }
}

/** A busy machine must not change the results, so no source of a recall times out. */
const SERVICE_VARIABLES = { RECALL_SOURCE_TIMEOUT_MS: '60000' };

function variablesOf(assignments: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    assignments.map((assignment) => {
      const [name = '', ...value] = assignment.split('=');
      return [name, value.join('=')];
    }),
  );
}
