/** Joins the hits of all sources, pure: one candidate per memory, with the evidence of every source that found it. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { Candidate, Evidence, Hit } from '../candidate.js';

/** In the order in which the memories first appear. */
export function fuse(hitsBySource: Iterable<readonly Hit[]>): readonly Candidate[] {
  const evidenceById = new Map<MemoryId, Evidence[]>();
  for (const hits of hitsBySource) {
    for (const { id, evidence } of hits) {
      const known = evidenceById.get(id);
      if (known) known.push(evidence);
      else evidenceById.set(id, [evidence]);
    }
  }
  return [...evidenceById].map(([id, evidence]) => ({ id, evidence }));
}
