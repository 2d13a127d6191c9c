/** Merges an entity into another one, after a question, and undoes a merge. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { count, ProblemNote } from '../../parts/basics.js';
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
    const detail = `Every memory that names ${slug} then names ${into}, and enrichment uses ${into} from now on. ${slug} becomes an alias. The page of ${into} can undo it.`;
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

type UndoProps = {
  readonly alias: Key;
  readonly into: string;
  /** With a question, where the merge is not the last action of the user. */
  readonly asks?: boolean;
  readonly onDone: (words: string) => void;
};

export function UndoMerge({ alias: { category, slug }, into, asks = false, onDone }: UndoProps) {
  const { dialog, ask } = useConfirm();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const run = async (): Promise<void> => {
    const detail = `The memories that named ${slug} before the merge name it again, and enrichment decides about those that it read since then. Consolidation does not merge the two again.`;
    if (asks && !(await ask({ title: `Undo the merge of ${slug} into ${into}?`, detail, verb: 'Undo merge' }))) return;
    setIsBusy(true);
    const result = await call('unmergeEntity', { params: { slug }, query: { category } });
    setIsBusy(false);
    setProblem(result.ok ? null : result.problem);
    if (!result.ok) return;
    const { edges_moved: moved, enrichments_requested: again } = result.body.unmerge;
    const enriched = again === 0 ? '' : ` ${count(again, 'memory is', 'memories are')} enriched again.`;
    onDone(`${slug} is an entity again: ${count(moved, 'memory names', 'memories name')} it again.${enriched}`);
  };
  return (
    <>
      <button type="button" disabled={isBusy} aria-label={`Undo merge of ${slug}`} onClick={() => void run()}>
        {asks ? 'Undo merge …' : 'Undo'}
      </button>
      <ProblemNote problem={problem} />
      {dialog}
    </>
  );
}
