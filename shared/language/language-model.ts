/** The port for a model that reads text: it classifies what patterns cannot and shortens what is long. Optional everywhere. */
import type { MemoryType } from '../contract/memory.js';

export interface LanguageModel {
  readonly name: string;
  /** The memory type of a text and how sure the model is (0 to 1). Null: no answer; callers go on without. */
  classify(content: string): Promise<{ readonly type: MemoryType; readonly confidence: number } | null>;
  /** The text in fewer than `targetLength` characters, names and outcomes kept. Null: no answer. */
  summarize(content: string, targetLength: number): Promise<string | null>;
}
