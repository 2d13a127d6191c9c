/** What moved between the answers of two recalls, pure. */

type Result = { readonly id: string; readonly final_score: number };
/** Ranks begin at 1. */
export type Place = { readonly rank: number; readonly score: number };
export type Move = { readonly id: string; readonly before: Place | null; readonly after: Place | null };

/** Every memory of both answers once: in the order of the second one, then those of the first one alone. */
export function movesOf(first: readonly Result[], second: readonly Result[]): readonly Move[] {
  const before = placesOf(first);
  const after = placesOf(second);
  return [...new Set([...after.keys(), ...before.keys()])].map((id) => ({
    id,
    before: before.get(id) ?? null,
    after: after.get(id) ?? null,
  }));
}

function placesOf(results: readonly Result[]): ReadonlyMap<string, Place> {
  return new Map(results.map(({ id, final_score: score }, index) => [id, { rank: index + 1, score }]));
}

export function moveInWords({ before, after }: Move): string {
  if (before === null) return 'only in B';
  if (after === null) return 'only in A';
  const steps = before.rank - after.rank;
  return steps === 0 ? 'same rank' : steps > 0 ? `up ${steps}` : `down ${-steps}`;
}
