/** Whether a query wants what is latest, pure: by the words that ask for it. */
const LATEST =
  /\b(?:latest|newest|most recent|recently|current(?:ly)?|now(?:adays)?|today|these days|last time|changed|updated|anymore)\b/iu;

export function asksForLatest(text: string): boolean {
  return LATEST.test(text.replace(/\s+/gu, ' '));
}
