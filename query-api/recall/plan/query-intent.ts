/** Recognises an English query for the latest state, and one for a history as a whole, pure. */

const LATEST =
  /\b(?:latest|newest|most recent|recently|current(?:ly)?|now(?:adays)?|today|these days|last time|changed|updated|anymore)\b/iu;
const HISTORY =
  /\b(?:summar(?:y|ies|i[sz]e|i[sz]ing)|overview|recap|timeline|chronolog\w*|order in which|in (?:what|which|chronological|the) order\b|in order\b(?! (?:to|that|for)\b)|throughout|across (?:\w+ ){0,3}(?:conversation|session|chat|discussion|message|interaction|request|question)s?|over time|so far|progress(?:ed|ion)|evolv\w*)/iu;

/** With `recency_bias=auto`, newer results of such a query rank higher. */
export function asksForLatest(text: string): boolean {
  return LATEST.test(withBlanks(text));
}

/** The results of such a query cover as many days as possible. */
export function asksForHistory(text: string): boolean {
  return HISTORY.test(withBlanks(text));
}

function withBlanks(text: string): string {
  return text.replace(/\s+/gu, ' ');
}
