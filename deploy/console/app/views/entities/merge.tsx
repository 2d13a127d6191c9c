/** Merges an entity into another one, after a question, and undoes a merge. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ENTITY_CATEGORIES } from '../../../../../shared/contract/entities/entity.js';
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
  /** Of this category, or else of another one: an alias is known by its slug alone. */
  readonly alias: Key;
  /** Without a category: of any. */
  readonly into: Omit<Key, 'category'> & Partial<Key>;
  /** With a question, where the merge is not the last action of the user. */
  readonly asks?: boolean;
  readonly onDone: (words: string, undone: Key) => void;
};

export function UndoMerge({ alias: { category: likely, slug }, into, asks = false, onDone }: UndoProps) {
  const { dialog, ask } = useConfirm();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const run = async (): Promise<void> => {
    setProblem(null);
    setIsBusy(!asks); // a dialog gives the focus back to the button, which must be enabled
    const found = await findAlias({ category: likely, slug }, into);
    if (!found.ok) {
      setIsBusy(false);
      return setProblem(found.problem);
    }
    const { category } = found;
    const name = category === likely ? slug : `${slug} (${category})`;
    const detail = `The memories that named ${slug} before the merge name it again, and enrichment decides about those that it read since then. Consolidation does not merge the two again.`;
    if (asks && !(await ask({ title: `Undo the merge of ${name} into ${into.slug}?`, detail, verb: 'Undo merge' })))
      return;
    setIsBusy(true);
    const result = await call('unmergeEntity', { params: { slug }, query: { category } });
    setIsBusy(false);
    setProblem(result.ok ? null : result.problem);
    if (!result.ok) return;
    const { edges_moved: moved, enrichments_requested: again } = result.body.unmerge;
    const enriched = again === 0 ? '' : ` ${count(again, 'memory is', 'memories are')} enriched again.`;
    const words = `${name} is an entity again: ${count(moved, 'memory names', 'memories name')} it again.${enriched}`;
    onDone(words, { category, slug });
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

type Found = { readonly ok: true; readonly category: string } | { readonly ok: false; readonly problem: Problem };

/** The category in which the alias was merged into the entity; most often its own. */
async function findAlias({ category: likely, slug }: Key, into: UndoProps['into']): Promise<Found> {
  for (const categories of [[likely], ENTITY_CATEGORIES.filter((other) => other !== likely)]) {
    const results = await Promise.all(
      categories.map(async (category) => {
        const result = await call('getEntity', { params: { slug }, query: { category } });
        return { category, ...result };
      }),
    );
    for (const result of results) {
      if (!result.ok && result.problem.status !== 404) return result;
      if (result.ok && isSame(result.body.entity, into)) return result;
    }
  }
  const message = `${slug} is not merged into ${into.slug} any more: reload the page`;
  return { ok: false, problem: { status: null, message } };
}

function isSame(entity: Key, { category = entity.category, slug }: UndoProps['into']): boolean {
  return entity.slug === slug && entity.category === category;
}
