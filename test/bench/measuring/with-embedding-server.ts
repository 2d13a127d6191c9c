/** Serves an embedder in the API of OpenAI during one measurement, so that a service in another process uses it. */
import { messageOf } from '../../../shared/kernel/errors.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import { type EmbeddingReply, startEmbeddingServer } from '../../support/servers/embedding-server.js';

/** `variables`: the environment of a service that uses the server. */
export async function withEmbeddingServer<T>(
  embedder: Embedder,
  measure: (variables: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const server = await startEmbeddingServer(({ body }) => replyTo(embedder, body['input'] as readonly string[]));
  try {
    return await measure({
      EMBEDDING_PROVIDER: 'openai',
      LANGUAGE_PROVIDER: 'none',
      OPENAI_BASE_URL: server.url,
      EMBEDDING_MODEL: 'bench',
      EMBEDDING_TIMEOUT_MS: '600000',
      VECTOR_SIZE: String(embedder.dimension),
    });
  } finally {
    await server.close();
  }
}

async function replyTo(embedder: Embedder, texts: readonly string[]): Promise<EmbeddingReply> {
  try {
    const vectors = await embedder.embed(texts, { purpose: 'document' });
    return { body: { data: vectors.map((vector, index) => ({ index, embedding: [...vector] })) } };
  } catch (error) {
    process.stderr.write(`encoding failed: ${messageOf(error)}\n`);
    return { status: 500 };
  }
}
