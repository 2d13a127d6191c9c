/** Memories by type, tag, time and importance, page by page; changes of several at once; import and export of JSONL. */
import { useState } from 'preact/hooks';
import type { MemoryId } from '../../../../../shared/contract/memory.js';
import type { ReplyOf } from '../../../../../shared/contract/operations.js';
import { count, Empty, ReadingState, shorten, Time } from '../../parts/basics.js';
import { goTo, hrefOf, type Parameters } from '../../service/route.js';
import { call } from '../../service/service.js';
import { useRead } from '../../service/use-read.js';
import { BrowseFilters } from './browse-filters.js';
import { filterIn, type ListFilter, PAGE, pageIn, pageParameters, tagsIn, withTag } from './browse-state.js';
import { BulkActions } from './bulk-actions.js';
import { ExportButton } from './export-lines.js';
import { ImportPanel } from './import-panel.js';

type Page = ReplyOf<'listMemories'>;
type Listed = Page['memories'][number];

const CONTENT_LENGTH = 300;
/** Tags of one row. */
const TAGS_SHOWN = 3;

export function BrowseView({ parameters }: { readonly parameters: Parameters }) {
  const filter = filterIn(parameters);
  const { cursor, number } = pageIn(parameters);
  const key = JSON.stringify(filter);
  const page = useRead(`${key} ${cursor}`, (signal) =>
    call('listMemories', { query: { ...filter, limit: PAGE, ...(cursor !== '' && { cursor }) }, signal }),
  );
  const counted = useRead(key, (signal) =>
    call('listMemories', { query: { ...filter, limit: 0, facets: true }, signal }),
  );
  const again = (): void => {
    page.again();
    counted.again();
  };
  const facets = counted.body?.facets ?? null;
  return (
    <>
      <h1>Browse</h1>
      <div class="browse">
        <BrowseFilters parameters={parameters} facets={facets} />
        {page.body === null ? (
          <ReadingState reading={page} what="the memories" />
        ) : (
          <List
            key={`${key} ${cursor}`}
            {...{ parameters, filter, number }}
            page={page.body}
            total={facets === null ? null : totalOf(facets)}
            onChanged={again}
          />
        )}
      </div>
      <ImportPanel onImported={again} />
    </>
  );
}

function totalOf({ total, is_partial: isPartial }: NonNullable<Page['facets']>): string {
  return isPartial ? `at least ${count(total, 'memory', 'memories')}` : count(total, 'memory', 'memories');
}

type ListProps = {
  readonly parameters: Parameters;
  readonly filter: ListFilter;
  readonly page: Page;
  /** Of the page, from 1. */
  readonly number: number;
  /** In words; null while it is counted. */
  readonly total: string | null;
  readonly onChanged: () => void;
};

function List({ parameters, filter, page, number, total, onChanged }: ListProps) {
  const [selected, setSelected] = useState<ReadonlySet<MemoryId>>(new Set());
  const memories = page.memories as readonly (Listed & { readonly id: MemoryId })[]; // of the service
  const chosen = memories.filter(({ id }) => selected.has(id));
  const next = page.next_cursor;
  const first = (number - 1) * PAGE + 1;
  const select = (id: MemoryId, isSelected: boolean): void =>
    setSelected((old) => new Set(isSelected ? [...old, id] : [...old].filter((each) => each !== id)));
  return (
    <section aria-labelledby="list-title">
      <div class="list-head">
        <div role="status">
          <h2 id="list-title">
            {memories.length === 0 ? 'No memories' : `${first} to ${first + memories.length - 1}`}
            {total !== null && ` of ${total}`}
          </h2>
        </div>
        {memories.length > 0 && (
          <label>
            <input
              type="checkbox"
              checked={chosen.length === memories.length}
              onChange={(event) =>
                setSelected(new Set(event.currentTarget.checked ? memories.map(({ id }) => id) : []))
              }
            />{' '}
            Select all {memories.length}
          </label>
        )}
        <a href={hrefOf('new', null, { tags: tagsIn(parameters).join(', ') })}>New memory</a>
        <ExportButton filter={filter} />
      </div>
      <BulkActions
        memories={chosen}
        onDone={(failed) => {
          setSelected(new Set(failed));
          onChanged();
        }}
      />
      {memories.length === 0 && (
        <Empty>
          {next === null
            ? 'There are no memories here. Store a new one, import a file below, or change the filters.'
            : 'None of the memories that were read has all of this. Next reads on.'}
        </Empty>
      )}
      <ol class="rows" start={first}>
        {memories.map((memory) => (
          <Row
            key={memory.id}
            {...{ memory, parameters }}
            isByUpdate={filter.sort === 'updated'}
            isSelected={selected.has(memory.id)}
            onSelect={(isSelected) => select(memory.id, isSelected)}
          />
        ))}
      </ol>
      <Pager {...{ parameters, number, next }} />
    </section>
  );
}

type RowProps = {
  readonly memory: Listed;
  readonly parameters: Parameters;
  readonly isByUpdate: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean) => void;
};

function Row({ memory, parameters, isByUpdate, isSelected, onSelect }: RowProps) {
  const { id, content, type, timestamp, updated_at: updatedAt } = memory;
  // All rows have the tags of the filter.
  const filtered = tagsIn(parameters).map((tag) => tag.toLowerCase());
  const tags = memory.tags.filter((tag) => !filtered.includes(tag.toLowerCase()));
  const line = shorten(content.replace(/\s+/gu, ' ').trim(), CONTENT_LENGTH);
  return (
    <li class={memory.archived === true ? 'archived' : undefined}>
      <input
        type="checkbox"
        aria-label={`Select ${shorten(line, 60)}`}
        checked={isSelected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <span class="chip">{type}</span>
      <a class="content" dir="auto" href={hrefOf('memory', id)} title={line}>
        {line}
      </a>
      <span class="row-tags">
        {tags.slice(0, TAGS_SHOWN).map((tag) => (
          <a key={tag} href={hrefOf('browse', null, withTag(parameters, tag))} title={tag}>
            {tag}
          </a>
        ))}
        {tags.length > TAGS_SHOWN && (
          <small title={tags.slice(TAGS_SHOWN).join(', ')}>
            +{tags.length - TAGS_SHOWN}
            <span class="hidden"> further tags</span>
          </small>
        )}
      </span>
      <Time at={isByUpdate ? updatedAt : timestamp} />
    </li>
  );
}

function Pager({
  parameters,
  number,
  next,
}: {
  readonly parameters: Parameters;
  readonly number: number;
  readonly next: string | null;
}) {
  const show = (to: 'first' | 'previous' | { readonly next: string }): void => {
    goTo(hrefOf('browse', null, pageParameters(parameters, to)));
    scrollTo(0, 0);
  };
  return (
    <div class="buttons">
      <button type="button" disabled={number === 1} onClick={() => show('first')}>
        First
      </button>
      <button type="button" disabled={number === 1} onClick={() => show('previous')}>
        Previous
      </button>
      <button type="button" disabled={next === null} onClick={() => next !== null && show({ next })}>
        Next
      </button>
    </div>
  );
}
