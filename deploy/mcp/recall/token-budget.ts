/** Keeps an answer within its token budget: estimates its size, and decides which results fit. */
import type { ToolAnswer } from '../tool.js';
import type { Presentation, Shown } from './formats.js';
import type { FoundMemory } from './found.js';

/** Low, so the estimate is high: identifiers, JSON and other scripts take more tokens than English prose. */
const CHARACTERS_PER_TOKEN = 2.5;

export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** The least that is reserved for the frame, the text and fields around the results. */
const FRAME_TOKENS = 800;
/** The counts in the frame get longer with each result, and line ends and commas separate the results. */
const SLACK_CHARACTERS = 32;
const SEPARATOR_CHARACTERS = 2;

/** Tokens that `tokenBudget` leaves for the results. The second argument is the longest possible frame. */
export function tokensForResults(tokenBudget: number, { text, structured }: ToolAnswer): number {
  const frame = text.reduce((sum, block) => sum + block.length, 0) + JSON.stringify(structured).length;
  return tokenBudget - Math.max(FRAME_TOKENS, estimateTokens(frame + SLACK_CHARACTERS));
}

/** The results that fit into `capacity` tokens. One that alone is too large is shortened. */
export function fitResults(
  memories: readonly FoundMemory[],
  presentation: Presentation,
  capacity: number,
): readonly Shown[] {
  const shown = memories.map((memory, index) => {
    const full = presentation.show(memory, index + 1);
    return tokensOf(full) <= capacity ? full : presentation.showShort(memory, index + 1);
  });
  return shown.slice(0, prefixWithin(capacity, shown.map(tokensOf)));
}

function tokensOf({ item, text }: Shown): number {
  return estimateTokens(text.length + JSON.stringify(item).length + 2 * SEPARATOR_CHARACTERS);
}

/** Of an entry in a JSON list. */
export function tokensOfItem(item: object): number {
  return estimateTokens(JSON.stringify(item).length + SEPARATOR_CHARACTERS);
}

/** Results come best first, so the first that does not fit ends the answer. The very first always stays. */
export function prefixWithin(capacity: number, tokens: readonly number[]): number {
  let left = capacity;
  const firstTooMany = tokens.findIndex((cost, index) => {
    left -= cost;
    return index > 0 && left < 0;
  });
  return firstTooMany === -1 ? tokens.length : firstTooMany;
}
