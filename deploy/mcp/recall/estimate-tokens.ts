/** What a text costs a model, guessed high: identifiers, JSON and scripts other than Latin take more tokens than English prose. */
const CHARACTERS_PER_TOKEN = 2.5;

export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
