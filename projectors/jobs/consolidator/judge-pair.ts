/** What consolidation finds between two memories that no association connects. The rules are those of AutoMem's consolidation. */
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';

export type Finding = {
  readonly source: MemoryId;
  readonly target: MemoryId;
  readonly kind: 'contrasts_with' | 'explains' | 'shares_theme' | 'parallel_context';
  readonly confidence: number;
  readonly similarity: number;
};

const WEEK_MS = 7 * 86_400_000;

type One = Pick<Memory, 'id' | 'type' | 'timestamp'>;

/** `similarity`: the cosine of their vectors. Null when the pair is not remarkable. The result does not depend on the order of the two. */
export function judgePair(one: One, other: One, similarity: number): Finding | null {
  const [first, second] = one.id < other.id ? [one, other] : [other, one];
  const found = (
    kind: Finding['kind'],
    confidence: number,
    [source, target]: readonly [One, One] = [first, second],
  ) => ({
    source: source.id,
    target: target.id,
    kind,
    confidence,
    similarity,
  });
  if (one.type === 'Decision' && other.type === 'Decision' && similarity < 0.3) return found('contrasts_with', 0.6);
  if (similarity > 0.5 && isInsightOfPattern(first, second)) return found('explains', 0.7, [first, second]);
  if (similarity > 0.5 && isInsightOfPattern(second, first)) return found('explains', 0.7, [second, first]);
  if (similarity > 0.7 && one.type !== other.type) return found('shares_theme', similarity);
  const apartMs = Math.abs(Date.parse(one.timestamp) - Date.parse(other.timestamp));
  return similarity < 0.4 && apartMs < WEEK_MS ? found('parallel_context', 0.5) : null;
}

function isInsightOfPattern(one: One, other: One): boolean {
  return one.type === 'Insight' && other.type === 'Pattern';
}
