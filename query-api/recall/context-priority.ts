/** The reply's `context_priority`, pure: which context weighed in, and whether it brought in what the search did not find. */
import type { ScoredCandidate } from './candidate.js';
import type { ContextProfile } from './context-profile.js';

const SHOWN_TAGS = 10;

export function contextPriority(
  { language, context, tags, types }: ContextProfile,
  results: readonly ScoredCandidate[],
) {
  return {
    language,
    context,
    priority_tags: tags.slice(0, SHOWN_TAGS),
    priority_types: types,
    injected: results.some(isInjected),
  };
}

/** Whether nothing but the caller's context speaks for it. */
export function isInjected({ evidence }: Pick<ScoredCandidate, 'evidence'>): boolean {
  return evidence.length > 0 && evidence.every(({ source }) => source === 'priority' || source === 'profile');
}
