/** Pairs of entities that may be the same, side by side with their memories. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../../shared/contract/operations.js';
import { count, ProblemNote, ReadingState } from '../../parts/basics.js';
import { hrefOf } from '../../service/route.js';
import { call } from '../../service/service.js';
import { useRead } from '../../service/use-read.js';
import { EntityMemories } from './entity-memories.js';
import { type Key, type Merged, UndoMerge, useMerge } from './merge.js';

type Candidate = ReplyOf<'listMergeCandidates'>['candidates'][number];

/** Memories of each entity of a pair. */
const MEMORIES = 5;

/** `onChanged`: entities were merged, or their merge was undone. */
export function MergeCandidates({ onChanged }: { readonly onChanged: () => void }) {
  const [isWanted, setIsWanted] = useState(false);
  const [done, setDone] = useState<readonly Done[]>([]);
  const reading = useRead(isWanted ? 'merge candidates' : null, (signal) => call('listMergeCandidates', { signal }));
  const { body } = reading;
  const changed = (): void => {
    reading.again();
    onChanged();
  };
  return (
    <section class="panel" aria-labelledby="candidates-title">
      <h2 id="candidates-title">Pairs that may be the same</h2>
      {!isWanted && (
        <button type="button" onClick={() => setIsWanted(true)}>
          Find pairs
        </button>
      )}
      <ReadingState reading={reading} what="the pairs" />
      {done.map((one) => (
        <div key={one.number} class="note good">
          <p role="status">{one.words}</p>
          {one.merge !== undefined && (
            <UndoMerge
              alias={{ category: one.category, slug: one.merge.alias }}
              into={{ slug: one.merge.into }}
              onDone={(words) => {
                setDone((old) => old.map((other) => (other === one ? { ...one, words, merge: undefined } : other)));
                changed();
              }}
            />
          )}
        </div>
      ))}
      <div role="status">
        {body !== null && (
          <p>
            {count(body.count, 'pair')}
            {body.truncated && '; there may be more when these are merged'}.
          </p>
        )}
      </div>
      <ul class="letters">
        {(body?.candidates ?? []).map((candidate) => (
          <Pair
            key={`${candidate.entity_a} ${candidate.entity_b}`}
            candidate={candidate}
            onMerged={(merge, { category }) => {
              setDone((old) => [{ number: old.length, words: merge.words, merge, category }, ...old]);
              changed();
            }}
          />
        ))}
      </ul>
    </section>
  );
}

/** What a merge or its undo did. `merge`: until it is undone. */
type Done = {
  readonly number: number;
  readonly words: string;
  readonly merge: Merged | undefined;
  readonly category: string;
};

type PairProps = { readonly candidate: Candidate; readonly onMerged: (merge: Merged, of: Key) => void };

function Pair({ candidate, onMerged }: PairProps) {
  const { entity_a: one, entity_b: other, confidence, reason, auto_merge: isCertain } = candidate;
  const [isOpen, setIsOpen] = useState(false);
  const { dialog, problem, merge } = useMerge();
  const [stays, alias] = [keyOf(one), keyOf(other)];
  const run = async (from: Key, into: Key): Promise<void> => {
    const merged = await merge(from, into.slug);
    if (merged !== null) onMerged(merged, from);
  };
  return (
    <li>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          {alias.slug} and {stays.slug} ({stays.category}), {Math.round(100 * confidence)} %
          {isCertain && ', certain enough to be merged without a review'}
        </summary>
        {isOpen && (
          <>
            <p class="facts">{reason.replaceAll('_', ' ')}</p>
            <div class="compared">
              {[alias, stays].map((key, index) => (
                <section key={key.slug} aria-label={key.slug}>
                  <h3>
                    <a href={hrefOf('entities', key.slug, { category: key.category })}>{key.slug}</a>
                  </h3>
                  <EntityMemories tag={index === 0 ? other : one} limit={MEMORIES} />
                </section>
              ))}
            </div>
            <div class="buttons">
              <button type="button" class="main" onClick={() => void run(alias, stays)}>
                Merge {alias.slug} into {stays.slug} …
              </button>
              <button type="button" onClick={() => void run(stays, alias)}>
                Merge {stays.slug} into {alias.slug} …
              </button>
            </div>
            <ProblemNote problem={problem} />
          </>
        )}
      </details>
      {dialog}
    </li>
  );
}

/** Of the tag `entity:<category>:<slug>`. */
function keyOf(tag: string): Key {
  const [, category = '', ...slug] = tag.split(':');
  return { category, slug: slug.join(':') };
}
