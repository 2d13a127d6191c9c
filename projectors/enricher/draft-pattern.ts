/** The pattern memory of one type, in words made of the memories that show it, pure. */
import type { ObservedPattern } from '../../shared/contract/enrichment.js';
import type { Memory } from '../../shared/contract/memory.js';
import { keyTerms } from './key-terms.js';
import { patternId } from './pattern-id.js';

/** What a pattern memory says of itself in its metadata. */
export type Pattern = { readonly type: string; readonly observations: number; readonly keyTerms: readonly string[] };

const KEY_TERMS = 5;
/** As sure as one observation makes, and what each further one adds. */
const [FIRST_CONFIDENCE, STEP, HIGHEST_CONFIDENCE] = [0.35, 0.05, 0.95] as const;

export function draftPattern({
  type,
  observations,
  contents,
  version,
  causationId,
}: {
  readonly type: string;
  /** Memories of the type. */
  readonly observations: number;
  /** Of some of them. */
  readonly contents: readonly string[];
  /** Of the pattern as it stands; 0 when there is none. */
  readonly version: number;
  readonly causationId: string;
}): ObservedPattern {
  const terms = keyTerms(contents, KEY_TERMS);
  const highlights = terms.length === 0 ? '' : ` highlighting ${terms.join(', ')}`;
  const confidence = Math.min(HIGHEST_CONFIDENCE, FIRST_CONFIDENCE + STEP * observations);
  return {
    kind: 'pattern',
    id: patternId(type),
    expectedVersion: version,
    causationId,
    content: `Pattern across ${observations} ${type} memories${highlights}`,
    confidence: Math.round(confidence * 100) / 100,
    metadata: { pattern_type: type, observations, key_terms: terms },
  };
}

/** What `draftPattern` once wrote; null where somebody has changed its metadata. */
export function patternOf({ pattern_type: type, observations, key_terms: terms }: Memory['metadata']): Pattern | null {
  if (typeof type !== 'string' || typeof observations !== 'number' || !Array.isArray(terms)) return null;
  return { type, observations, keyTerms: terms.filter((term) => typeof term === 'string') };
}
