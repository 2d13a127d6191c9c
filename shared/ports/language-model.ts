/**
 * The port for a language model: it classifies memories that match no pattern, shortens long content and describes
 * entities. Every caller works without it.
 */
import type { MemoryType } from '../contract/memory.js';

export type DescribedEntity = {
  readonly name: string;
  readonly category: string;
  /** At most 50, cut to 300 characters each. */
  readonly notes: readonly string[];
  /** The description so far, which the answer continues; null to begin again. */
  readonly previous: string | null;
};

export interface LanguageModel {
  readonly name: string;
  /** The memory type of a text and the confidence of the model (0 to 1). Null: no answer. */
  classify(content: string): Promise<{ readonly type: MemoryType; readonly confidence: number } | null>;
  /** The text in fewer than `targetLength` characters, with its names and outcomes. Null: no answer. */
  summarize(content: string, targetLength: number): Promise<string | null>;
  /** Two to five sentences about an entity, from notes that name it. Null: no answer. */
  describe(entity: DescribedEntity): Promise<string | null>;
}
