/** One encoder for all tenants that use the same model: its weights and its processes are there once. */
import type { Embedder } from '../../ports/embedder.js';

/** Opens the embedder of this key, or shares the open one. It closes after the last of its users has closed it. */
export type ShareEmbedder = (key: string, open: () => Promise<Embedder>) => Promise<Embedder>;

export function shareEmbedders(): ShareEmbedder {
  const shared = new Map<string, { readonly opening: Promise<Embedder>; users: number }>();

  return async (key, open) => {
    const entry = shared.get(key) ?? { opening: open(), users: 0 };
    shared.set(key, entry);
    entry.users += 1;
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (isClosed) return;
      isClosed = true;
      entry.users -= 1;
      if (entry.users > 0) return;
      if (shared.get(key) === entry) shared.delete(key);
      await (await entry.opening).close();
    };
    try {
      const { model, dimension, embed } = await entry.opening;
      return { model, dimension, embed, close };
    } catch (error) {
      if (shared.get(key) === entry) shared.delete(key);
      throw error;
    }
  };
}
