/** The entities that memories name: by category, with a search, and the pairs that may be the same. */
import { useRef, useState } from 'preact/hooks';
import { ENTITY_CATEGORIES, ENTITY_LIST } from '../../../../../shared/contract/entities/entity.js';
import type { ReplyOf } from '../../../../../shared/contract/operations.js';
import { count, Empty, Field, ReadingState } from '../../parts/basics.js';
import { goTo, hrefOf, type Parameters } from '../../service/route.js';
import { call } from '../../service/service.js';
import { useRead } from '../../service/use-read.js';
import { MergeCandidates } from './merge-candidates.js';

export type Entity = ReplyOf<'listEntities'>['entities'][number];

/** Entities of the first picture, and rows that a click adds. */
const SHOWN = 50;

export function EntitiesView({ parameters }: { readonly parameters: Parameters }) {
  const { category = '' } = parameters;
  const [text, setText] = useState('');
  const [wantsMore, setWantsMore] = useState(false);
  const filter = category === '' ? {} : { category };
  const key = `entities ${category}`;
  const first = useRead(key, (signal) => call('listEntities', { query: { ...filter, limit: SHOWN }, signal }));
  const isFirstCut = first.body !== null && first.body.count >= SHOWN;
  /** What the words and the rows after the first ones need. */
  const most = useRead(isFirstCut && (wantsMore || text !== '') ? `${key} most` : null, (signal) =>
    call('listEntities', { query: { ...filter, limit: ENTITY_LIST.maximum }, signal }),
  );
  const reading = most.body === null ? first : most;
  const entities = reading.body?.entities ?? [];
  const isCut = most.body === null ? isFirstCut : most.body.count >= ENTITY_LIST.maximum;
  const found = entities.filter((entity) => hasWords(entity, text));
  const wasRead = useRef(false);
  wasRead.current ||= first.body !== null;
  const isEmpty = category === '' && first.body?.count === 0;
  return (
    <>
      <h1>Entities</h1>
      {isEmpty ? (
        <Empty>
          Memories name no entity yet. Enrichment finds people, tools, projects and places in new memories, and gives
          the memories a tag for each.
        </Empty>
      ) : (
        <>
          <div class="panel line">
            <Field label="Search" isWide hint="In names and aliases.">
              {(id) => (
                <input id={id} type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
              )}
            </Field>
            <CategoryChoice chosen={category} />
          </div>
          <section class="panel" aria-labelledby="entity-list-title">
            <div role="status">
              <h2 id="entity-list-title">
                {reading.body === null || most.isLoading ? 'Entities' : count(found.length, 'entity', 'entities')}
              </h2>
            </div>
            <ReadingState reading={first} what="the entities" />
            {isCut && (
              <p>
                These are among the {entities.length} with the most memories
                {category === '' && most.body !== null && '; a category may have further ones'}.
              </p>
            )}
            <EntityTable entities={found} isCut={isCut && most.body === null} onMore={() => setWantsMore(true)} />
            <ReadingState reading={most} what="more entities" />
          </section>
          {wasRead.current && (
            <MergeCandidates
              onChanged={() => {
                first.again();
                most.again();
              }}
            />
          )}
        </>
      )}
    </>
  );
}

function hasWords({ name, slug, aliases }: Entity, text: string): boolean {
  const names = [name, slug, ...aliases].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => names.includes(word));
}

function CategoryChoice({ chosen }: { readonly chosen: string }) {
  return (
    <Field label="Category">
      {(id) => (
        <select
          id={id}
          value={chosen}
          onChange={(event) => goTo(hrefOf('entities', null, { category: event.currentTarget.value }))}
        >
          <option value="">All</option>
          {ENTITY_CATEGORIES.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type TableProps = {
  readonly entities: readonly Entity[];
  /** The service has more than these. */
  readonly isCut: boolean;
  readonly onMore: () => void;
};

function EntityTable({ entities, isCut, onMore }: TableProps) {
  const [shown, setShown] = useState(SHOWN);
  const showMore = (): void => {
    setShown(shown + SHOWN);
    onMore();
  };
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
      {(isCut || entities.length > shown) && (
        <div class="buttons">
          <button type="button" onClick={showMore}>
            Show more
          </button>
        </div>
      )}
    </>
  );
}
