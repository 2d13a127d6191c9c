/** The filters of the view Browse: a form, and the types and tags of its memories as links with their numbers. */
import { useState } from 'preact/hooks';
import { LIST_SORTS, type ListSort } from '../../../../../shared/contract/filter.js';
import { MEMORY_TYPES } from '../../../../../shared/contract/memory.js';
import type { ReplyOf } from '../../../../../shared/contract/operations.js';
import { DayFields, Field, ReadingState, ShareField } from '../../parts/basics.js';
import { Timeline } from '../../parts/timeline.js';
import { goTo, hrefOf, type Parameters } from '../../service/route.js';
import { call } from '../../service/service.js';
import { useRead } from '../../service/use-read.js';
import { firstPage, sortIn, tagsIn, withoutTag, withTag } from './browse-state.js';

const ENTITIES = 100;
/** From this width on, the filters are a column of their own. */
const WIDE = '(min-width: 60rem)';
const SORT_NAMES: Readonly<Record<ListSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  importance: 'Most important first',
  updated: 'Last updated first',
};

type Facets = NonNullable<ReplyOf<'listMemories'>['facets']>;
type Props = { readonly parameters: Parameters; readonly facets: Facets | null };

export function BrowseFilters({ parameters, facets }: Props) {
  const [isOpen] = useState(() => matchMedia(WIDE).matches);
  return (
    <div class="filters">
      <details class="panel" open={isOpen}>
        <summary>Filters</summary>
        <ChosenTags parameters={parameters} />
        <FilterForm key={JSON.stringify(parameters)} parameters={parameters} />
        {facets !== null && (
          <>
            <Timeline
              facets={facets}
              chosen={{ since: parameters['since'] ?? '', until: parameters['until'] ?? '' }}
              onChoose={(days) => goTo(hrefOf('browse', null, { ...firstPage(parameters), ...days }))}
            />
            <Facets {...{ parameters, facets }} />
          </>
        )}
      </details>
      <Entities parameters={parameters} />
    </div>
  );
}

function ChosenTags({ parameters }: { readonly parameters: Parameters }) {
  const tags = tagsIn(parameters);
  if (tags.length === 0) return null;
  return (
    <ul class="tags" aria-label="Chosen tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a href={hrefOf('browse', null, withoutTag(parameters, tag))}>
            {tag} <span aria-hidden="true">×</span>
            <span class="hidden"> (remove)</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function FilterForm({ parameters }: { readonly parameters: Parameters }) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const { tag = '', ...given } = Object.fromEntries([...data].map(([name, value]) => [name, String(value).trim()]));
    const filter = { ...firstPage(parameters), internal: '', ...given };
    goTo(hrefOf('browse', null, tag === '' ? filter : withTag(filter, tag)));
  };
  return (
    <form onSubmit={submit} class="fields">
      <Field label="Words" isWide hint="All of them, in the content or in a tag.">
        {(id) => <input id={id} name="text" type="search" defaultValue={parameters['text'] ?? ''} />}
      </Field>
      <Field label="Tag" isWide hint="In addition to the chosen ones.">
        {(id) => <input id={id} name="tag" />}
      </Field>
      <Field label="Tags match">
        {(id) => (
          <select id={id} name="match">
            <option value="">As a whole</option>
            <option value="prefix" selected={parameters['match'] === 'prefix'}>
              With those below
            </option>
          </select>
        )}
      </Field>
      <Field label="Type">
        {(id) => (
          <select id={id} name="type">
            <option value="">All</option>
            {MEMORY_TYPES.map((type) => (
              <option key={type} value={type} selected={type === parameters['type']}>
                {type}
              </option>
            ))}
          </select>
        )}
      </Field>
      <DayFields {...parameters} />
      <ShareField label="Importance ≥" name="importance" value={parameters['importance'] ?? ''} />
      <Field label="Sort">
        {(id) => (
          <select id={id} name="sort">
            {LIST_SORTS.map((sort) => (
              <option key={sort} value={sort} selected={sort === sortIn(parameters)}>
                {SORT_NAMES[sort]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <label class="option">
        <input name="internal" type="checkbox" value="yes" defaultChecked={parameters['internal'] === 'yes'} /> Internal
        memories
      </label>
      <div class="buttons">
        <button type="submit" class="main">
          Show
        </button>
        <button type="button" onClick={() => goTo(hrefOf('browse'))}>
          Clear
        </button>
      </div>
    </form>
  );
}

function Facets({ parameters, facets }: { readonly parameters: Parameters; readonly facets: Facets }) {
  const { types, tags, counted, total, is_partial: isPartial } = facets;
  const chosen = new Set(tagsIn(parameters).map((tag) => tag.toLowerCase()));
  const { type: chosenType } = parameters;
  return (
    <>
      <h2>Types</h2>
      <ul class="facets">
        {types.map(({ type, count }) => (
          <li key={type}>
            <a
              href={hrefOf('browse', null, { ...firstPage(parameters), type: type === chosenType ? '' : type })}
              aria-current={type === chosenType ? 'true' : undefined}
            >
              {type}
            </a>
            <span class="number">{count.toLocaleString('en')}</span>
          </li>
        ))}
      </ul>
      <h2>Tags</h2>
      <ul class="facets">
        {tags
          .filter(({ tag }) => !chosen.has(tag))
          .map(({ tag, count }) => (
            <li key={tag}>
              <a href={hrefOf('browse', null, withTag(parameters, tag))}>{tag}</a>
              <span class="number">{count.toLocaleString('en')}</span>
            </li>
          ))}
      </ul>
      {(isPartial || counted < total) && (
        <small>
          {isPartial ? 'Both count' : 'The tags count'} the first {counted.toLocaleString('en')} memories of the list.
        </small>
      )}
    </>
  );
}

/** Enrichment tags each memory with the entities that it names. */
function Entities({ parameters }: { readonly parameters: Parameters }) {
  const [isOpen, setIsOpen] = useState(false);
  const reading = useRead(isOpen ? 'entities' : null, (signal) =>
    call('listEntities', { query: { limit: ENTITIES }, signal }),
  );
  const entities = reading.body?.entities ?? [];
  return (
    <details class="panel" onToggle={(event) => setIsOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>Entities</summary>
      <p>
        <a href={hrefOf('entities')}>All entities</a>, and pairs that may be the same.
      </p>
      {isOpen && <ReadingState reading={reading} what="the entities" />}
      {reading.body !== null && entities.length === 0 && <p>Enrichment has found no people, places or projects yet.</p>}
      <ul class="tags" aria-label="Entities">
        {entities.map(({ id, slug, category, name }) => (
          <li key={id}>
            <a href={hrefOf('browse', null, withTag(parameters, `entity:${category}:${slug}`))}>
              {name} <small>{category}</small>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
