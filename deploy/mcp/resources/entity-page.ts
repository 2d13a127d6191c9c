/** Lays out the entity of GET /entity/:slug as one JSON text within the token budget, pure. */
import { isRecord } from '../../../shared/kernel/is-record.js';
import { clip, clipFields } from '../recall/clip.js';
import { tokensOfItem } from '../recall/token-budget.js';

/** Of a page that does not fit: enough for several paragraphs. */
const IDENTITY_CHARACTERS = 2_000;
const CUT = {
  truncation: { applied: true, reason: 'response_token_budget', note: 'long texts are cut, and lists after 20 items' },
} as const;

/** Null when the body has no entity. Fields that are unknown here stay: a newer service may send more. */
export function entityPage(body: unknown, tokenBudget: number): string | null {
  const entity = isRecord(body) ? body['entity'] : null;
  if (!isRecord(entity) || typeof entity['name'] !== 'string') return null;
  if (tokensOfItem({ entity }) <= tokenBudget) return JSON.stringify({ entity });
  const { identity } = entity;
  const page = {
    ...clipFields(entity),
    ...(typeof identity === 'string' ? { identity: clip(identity, IDENTITY_CHARACTERS) } : {}),
  };
  return JSON.stringify({ entity: page, ...CUT });
}
