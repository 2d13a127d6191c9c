/** Merges an entity into another one, after a question: there is no request that takes it back. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { count } from '../../parts/basics.js';
import { useConfirm } from '../../parts/confirm.js';
import { call, type Problem } from '../../service/service.js';

export type Key = { readonly category: string; readonly slug: string };
export type Merged = { readonly into: string; readonly alias: string; readonly words: string };

/** `merge` resolves with the outcome; null when the user or the service refused it. */
export function useMerge(): {
  readonly dialog: VNode | null;
  readonly problem: Problem | null;
  readonly merge: (alias: Key, into: string) => Promise<Merged | null>;
} {
  const { dialog, ask } = useConfirm();
  const [problem, setProblem] = useState<Problem | null>(null);
  const merge = async ({ category, slug }: Key, into: string): Promise<Merged | null> => {
    const detail = `Every memory that names ${slug} then names ${into}, and enrichment uses ${into} from now on. ${slug} becomes an alias. No request takes a merge back.`;
    if (!(await ask({ title: `Merge ${slug} into ${into}?`, detail, verb: 'Merge' }))) return null;
    const result = await call('mergeEntity', { params: { slug }, query: { category }, body: { merge_into: into } });
    setProblem(result.ok ? null : result.problem);
    if (!result.ok) return null;
    const { canonical, alias_slug: alias, edges_moved: moved } = result.body.merge;
    const words = `${alias} is now an alias of ${canonical}: ${count(moved, 'memory was', 'memories were')} changed.`;
    return { into: canonical, alias, words };
  };
  return { dialog, problem, merge };
}
