/** Adds what is explained to the answer, pure. Numbers are rounded as in the rest of it. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import { rounded } from '../present.js';
import type { Explanation } from './create-explain.js';

type Body = { readonly results: readonly { readonly id: MemoryId }[] };

/** The body itself when nothing is explained. */
export function withExplanation<B extends Body>(body: B, explanation: Explanation | null): B {
  if (explanation === null) return body;
  const { results, memory } = explanation;
  return {
    ...body,
    results: body.results.map((result) => ({ ...result, explain: roundedWithin(results.get(result.id)) })),
    ...(memory === null ? {} : { explain: roundedWithin(memory) }),
  };
}

function roundedWithin(value: unknown): unknown {
  if (typeof value === 'number') return rounded(value);
  if (Array.isArray(value)) return value.map(roundedWithin);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, roundedWithin(inner)]));
}
