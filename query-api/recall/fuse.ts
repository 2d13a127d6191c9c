/** Brings the hits of all sources together, pure: one candidate for each memory, with everything that speaks for it. */
import type { MemoryId } from '../../shared/contract/memory.js';
import type { Candidate, Evidence, Hit } from './candidate.js';

/** In the order of their first appearance. */
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
