/** One entity: what is known about it, the memories that name it, and its merge into another one. */
import { useId, useState } from 'preact/hooks';
import { ENTITY_LIST } from '../../../../../shared/contract/entities/entity.js';
import type { ReplyOf } from '../../../../../shared/contract/operations.js';
import { count, Field, ProblemNote, ReadingState, Time } from '../../parts/basics.js';
import { goTo, hrefOf } from '../../service/route.js';
import { call } from '../../service/service.js';
import { useRead } from '../../service/use-read.js';
import { EntityMemories } from './entity-memories.js';
import { type Key, UndoMerge, useMerge } from './merge.js';

type Entity = ReplyOf<'getEntity'>['entity'];

const PAGE = 50;

export function EntityView({ slug, category }: { readonly slug: string; readonly category: string }) {
  const reading = useRead(`entity ${slug}`, (signal) =>
    call('getEntity', { params: { slug }, query: category === '' ? {} : { category }, signal }),
  );
  const entity = reading.body?.entity;
  /** What the undo of merges did, the last one first. */
  const [undone, setUndone] = useState<readonly (Key & { readonly words: string })[]>([]);
  const onUndone = (words: string, alias: Key): void => {
    setUndone((old) => [{ ...alias, words }, ...old]);
    reading.again();
  };
  return (
    <>
      <h1>{entity?.name ?? slug}</h1>
      <p>
        <a href={hrefOf('entities')}>All entities</a>
      </p>
      <ReadingState reading={reading} what="the entity" />
      {entity !== undefined && (
        <>
          {entity.slug !== slug && (
            <p class="note" role="status">
              {slug} is an alias of {entity.slug}.
            </p>
          )}
          {undone.map((one) => (
            <p key={`${one.category} ${one.slug}`} class="note good" role="status">
              {one.words} <a href={hrefOf('entities', one.slug, { category: one.category })}>Open {one.slug}</a>
            </p>
          ))}
          <Facts entity={entity} />
          {entity.aliases.length > 0 && <MergedInto entity={entity} onUndone={onUndone} />}
          <section class="panel" aria-labelledby="memories-title">
            <h2 id="memories-title">{count(entity.reference_count, 'memory', 'memories')}</h2>
            <EntityMemories key={undone.length} tag={entity.id} limit={PAGE} isPaged />
            <p class="facts">
              <a href={hrefOf('browse', null, { tag: entity.id })}>Browse</a> filters and changes them.
            </p>
          </section>
          <MergeForm key={entity.id} entity={entity} />
        </>
      )}
    </>
  );
}

function Facts({ entity }: { readonly entity: Entity }) {
  const { category, aliases, identity, identity_updated_at: at, identity_source_count: sources } = entity;
  return (
    <section class="panel" aria-label="What is known about it">
      <dl class="health">
        <dt>Category</dt>
        <dd>
          <a href={hrefOf('entities', null, { category })}>{category}</a>
        </dd>
        <dt>Tag</dt>
        <dd>
          <code>{entity.id}</code>
        </dd>
        <dt>Aliases</dt>
        <dd>{aliases.length === 0 ? 'None: no entity was merged into it.' : aliases.join(', ')}</dd>
        <dt>Named</dt>
        <dd>
          First <Time at={entity.created_at} />, last <Time at={entity.last_referenced_at} />
        </dd>
        {identity !== null && (
          <>
            <dt>Identity</dt>
            <dd>
              {identity}{' '}
              <small>
                Written by consolidation{sources !== null && ` from ${count(sources, 'memory', 'memories')}`}
                {at !== null && (
                  <>
                    , <Time at={at} />
                  </>
                )}
                .
              </small>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

type MergedProps = { readonly entity: Entity; readonly onUndone: (words: string, undone: Key) => void };

function MergedInto({ entity: { category, slug, aliases }, onUndone }: MergedProps) {
  return (
    <section class="panel" aria-labelledby="merged-title">
      <h2 id="merged-title">Merged into it</h2>
      <ul class="lines">
        {aliases.map((alias) => (
          <li key={alias}>
            {alias} <UndoMerge alias={{ category, slug: alias }} into={{ category, slug }} asks onDone={onUndone} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function MergeForm({ entity: { slug, category } }: { readonly entity: Entity }) {
  const { dialog, problem, merge } = useMerge();
  const [into, setInto] = useState('');
  const [isUsed, setIsUsed] = useState(false);
  const listId = useId();
  const others = useRead(isUsed ? `entities ${category}` : null, (signal) =>
    call('listEntities', { query: { category, limit: ENTITY_LIST.maximum }, signal }),
  );
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const merged = await merge({ category, slug }, into.trim());
    if (merged !== null) goTo(hrefOf('entities', merged.into, { category }));
  };
  return (
    <section class="panel" aria-labelledby="merge-title">
      <h2 id="merge-title">Merge it into another entity</h2>
      <form onSubmit={(event) => void submit(event)}>
        <Field label="The entity that stays" isWide hint="Its slug, of the same category. It needs the admin token.">
          {(id) => (
            <input
              id={id}
              list={listId}
              required
              value={into}
              autocomplete="off"
              onFocus={() => setIsUsed(true)}
              onInput={(event) => setInto(event.currentTarget.value)}
            />
          )}
        </Field>
        <datalist id={listId}>
          {(others.body?.entities ?? [])
            .filter((other) => other.slug !== slug)
            .map((other) => (
              <option key={other.id} value={other.slug}>
                {other.name}
              </option>
            ))}
        </datalist>
        <div class="buttons">
          <button type="submit">Merge …</button>
        </div>
      </form>
      <ProblemNote problem={problem} />
      {dialog}
    </section>
  );
}
