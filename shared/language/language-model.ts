/** The port for a language model: it classifies memories that match no pattern and shortens long content. Every caller works without it. */
import type { MemoryType } from '../contract/memory.js';

export interface LanguageModel {
  readonly name: string;
  /** The memory type of a text and the confidence of the model (0 to 1). Null: no answer. */
  classify(content: string): Promise<{ readonly type: MemoryType; readonly confidence: number } | null>;
  /** The text in fewer than `targetLength` characters, with its names and outcomes. Null: no answer. */
  summarize(content: string, targetLength: number): Promise<string | null>;
}
