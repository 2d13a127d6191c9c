/** The entities that memories name: by category, with a search, and the pairs that may be the same. */
import { useState } from 'preact/hooks';
import { ENTITY_LIST } from '../../../../../shared/contract/entities/entity.js';
import type { ReplyOf } from '../../../../../shared/contract/operations.js';
import { count, Empty, Field, ReadingState } from '../../parts/basics.js';
import { goTo, hrefOf, type Parameters } from '../../service/route.js';
import { call } from '../../service/service.js';
import { useRead } from '../../service/use-read.js';
import { MergeCandidates } from './merge-candidates.js';

export type Entity = ReplyOf<'listEntities'>['entities'][number];

/** Categories of the list without a filter, with the number of its entities in each. */
type Categories = ReadonlyMap<string, number>;

export function EntitiesView({ parameters }: { readonly parameters: Parameters }) {
  const { category = '' } = parameters;
  const [text, setText] = useState('');
  const all = useRead('entities', (signal) => call('listEntities', { query: { limit: ENTITY_LIST.maximum }, signal }));
  /** Of one category there may be more than the list of all has. */
  const chosen = useRead(category === '' ? null : `entities ${category}`, (signal) =>
    call('listEntities', { query: { category, limit: ENTITY_LIST.maximum }, signal }),
  );
  const reading = category === '' ? all : chosen;
  const entities = reading.body?.entities ?? [];
  const found = entities.filter((entity) => hasWords(entity, text));
  return (
    <>
      <h1>Entities</h1>
      <ReadingState reading={reading} what="the entities" />
      {all.body !== null && all.body.count === 0 && (
        <Empty>
          Memories name no entity yet. Enrichment finds people, tools, projects and places in new memories, and gives
          the memories a tag for each.
        </Empty>
      )}
      {all.body !== null && all.body.count > 0 && (
        <>
          <div class="panel line">
            <Field label="Search" isWide hint="In names and aliases.">
              {(id) => (
                <input id={id} type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
              )}
            </Field>
            <CategoryChoice categories={categoriesOf(all.body.entities)} chosen={category} />
          </div>
          <section class="panel" aria-labelledby="entity-list-title">
            <div role="status">
              <h2 id="entity-list-title">{count(found.length, 'entity', 'entities')}</h2>
            </div>
            {entities.length >= ENTITY_LIST.maximum && (
              <p>
                These are among the {ENTITY_LIST.maximum} with the most memories
                {category === '' && '; a category may have further ones'}.
              </p>
            )}
            <EntityTable entities={found} />
          </section>
          <MergeCandidates
            onChanged={() => {
              all.again();
              chosen.again();
            }}
          />
        </>
      )}
    </>
  );
}

function categoriesOf(entities: readonly Entity[]): Categories {
  const counts = new Map<string, number>();
  for (const { category } of entities) counts.set(category, (counts.get(category) ?? 0) + 1);
  return new Map([...counts].sort(([, one], [, other]) => other - one));
}

function hasWords({ name, slug, aliases }: Entity, text: string): boolean {
  const names = [name, slug, ...aliases].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => names.includes(word));
}

function CategoryChoice({ categories, chosen }: { readonly categories: Categories; readonly chosen: string }) {
  return (
    <Field label="Category">
      {(id) => (
        <select
          id={id}
          value={chosen}
          onChange={(event) => goTo(hrefOf('entities', null, { category: event.currentTarget.value }))}
        >
          <option value="">All ({[...categories.values()].reduce((sum, each) => sum + each, 0)})</option>
          {[...categories].map(([name, entities]) => (
            <option key={name} value={name}>
              {name} ({entities})
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const SHOWN = 50;

function EntityTable({ entities }: { readonly entities: readonly Entity[] }) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of entities">
        <table class="wide">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Category</th>
              <th scope="col">Memories</th>
              <th scope="col">Aliases</th>
            </tr>
          </thead>
          <tbody>
            {entities.slice(0, shown).map(({ id, name, slug, category, aliases, reference_count: memories }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={hrefOf('entities', slug, { category })}>{name}</a>
                </th>
                <td>{category}</td>
                <td class="number">{memories.toLocaleString('en')}</td>
                <td>{aliases.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {entities.length > shown && (
        <div class="buttons">
          <button type="button" onClick={() => setShown(shown + SHOWN)}>
            Show {Math.min(SHOWN, entities.length - shown)} more
          </button>
        </div>
      )}
    </>
  );
}
