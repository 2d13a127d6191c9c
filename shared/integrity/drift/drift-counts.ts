/** Numbers of differences by their kind. Pure. */
import type { DriftKind } from './drift-kind.js';

export type DriftCounts = Readonly<Record<DriftKind, number>>;

export function countKinds(differences: readonly { readonly kind: DriftKind }[]): DriftCounts {
  const counts = { missing: 0, orphaned: 0, stale: 0 };
  for (const { kind } of differences) counts[kind] += 1;
  return counts;
}

export function addCounts(one: DriftCounts, other: DriftCounts): DriftCounts {
  return {
    missing: one.missing + other.missing,
    orphaned: one.orphaned + other.orphaned,
    stale: one.stale + other.stale,
  };
}

export function totalOf({ missing, orphaned, stale }: DriftCounts): number {
  return missing + orphaned + stale;
}
