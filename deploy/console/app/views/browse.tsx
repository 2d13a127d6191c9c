/** Memories by tag, by entity, or by type and time, page by page; import and export of JSONL. */
import { useState } from 'preact/hooks';
import { MEMORY_TYPES } from '../../../../shared/contract/memory.js';
import { count, Empty, Field, MemoryLink, ReadingState, shorten, Tags, Time } from '../parts/basics.js';
import { goTo, hrefOf, type Parameters } from '../service/route.js';
import { call } from '../service/service.js';
import { useRead } from '../service/use-read.js';
import { exportLines, type Listed } from './export-lines.js';
import { ImportPanel } from './import-panel.js';

const PAGE = 50;
/** Memories that one reading by type and time asks for. */
const SNAPSHOT = 10_000;
const ENTITIES = 100;
const CONTENT_LENGTH = 300;

type Page = {
  readonly memories: readonly Listed[];
  readonly offset: number;
  readonly hasMore: boolean;
  readonly note: string;
};

export function BrowseView({ parameters }: { readonly parameters: Parameters }) {
  const [imported, setImported] = useState(0);
  return (
    <>
      <h1>Browse</h1>
      <BrowseForm key={JSON.stringify(parameters)} parameters={parameters} />
      <Entities />
      {parameters['tag'] === undefined ? (
        <ByTime key={imported} parameters={parameters} />
      ) : (
        <ByTag key={`${parameters['tag']} ${imported}`} tag={parameters['tag']} />
      )}
      <ImportPanel onImported={() => setImported((number) => number + 1)} />
    </>
  );
}

function BrowseForm({ parameters }: { readonly parameters: Parameters }) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const texts = ['tag', 'type', 'since', 'until'].map((name) => [name, String(data.get(name) ?? '').trim()] as const);
    goTo(hrefOf('browse', null, Object.fromEntries(texts)));
  };
  return (
    <form onSubmit={submit} class="panel">
      <div class="fields">
        <Field label="Tag" hint="A whole tag. It excludes the other filters.">
          {(id) => <input id={id} name="tag" defaultValue={parameters['tag'] ?? ''} />}
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
        <Field label="From">
          {(id) => <input id={id} name="since" type="date" defaultValue={parameters['since'] ?? ''} />}
        </Field>
        <Field label="To">
          {(id) => <input id={id} name="until" type="date" defaultValue={parameters['until'] ?? ''} />}
        </Field>
      </div>
      <div class="buttons">
        <button type="submit" class="main">
          Show
        </button>
      </div>
    </form>
  );
}

/** Enrichment tags each memory with the entities that it names. */
function Entities() {
  const [isOpen, setIsOpen] = useState(false);
  const reading = useRead(isOpen ? 'entities' : null, (signal) =>
    call('listEntities', { query: { limit: ENTITIES }, signal }),
  );
  const entities = reading.body?.entities ?? [];
  return (
    <details class="panel" onToggle={(event) => setIsOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>Entities</summary>
      {isOpen && <ReadingState reading={reading} what="the entities" />}
      {reading.body !== null && entities.length === 0 && <p>Enrichment has found no people, places or projects yet.</p>}
      <ul class="tags" aria-label="Entities">
        {entities.map(({ id, slug, category, name }) => (
          <li key={id}>
            <a href={hrefOf('browse', null, { tag: `entity:${category}:${slug}` })}>
              {name} <small>{category}</small>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ByTag({ tag }: { readonly tag: string }) {
  const [offset, setOffset] = useState(0);
  const reading = useRead(`${tag} ${offset}`, (signal) =>
    call('listByTag', { query: { tags: [tag], limit: PAGE, offset }, signal }),
  );
  if (reading.body === null) return <ReadingState reading={reading} what="the memories" />;
  const { memories, has_more: hasMore } = reading.body;
  return <List page={{ memories, offset, hasMore, note: `with the tag “${tag}”` }} onOffset={setOffset} />;
}

function ByTime({ parameters: { type = '', since = '', until = '' } }: { readonly parameters: Parameters }) {
  const key = `${type} ${since} ${until}`;
  const [position, setPosition] = useState({ key, offset: 0 });
  const reading = useRead(key, (signal) =>
    call('snapshotGraph', {
      query: { limit: SNAPSHOT, ...(type !== '' && { types: [type] }), ...(since !== '' && { since }) },
      signal,
    }),
  );
  if (reading.body === null) return <ReadingState reading={reading} what="the memories" />;
  const { nodes, stats } = reading.body;
  const all = nodes
    .filter(({ timestamp }) => until === '' || timestamp.slice(0, until.length) <= until)
    .sort((one, other) => (one.timestamp < other.timestamp ? 1 : -1));
  const offset = position.key === key ? position.offset : 0;
  const memories = all.slice(offset, offset + PAGE);
  const note = `of ${count(all.length, 'memory', 'memories')}${stats.sampled ? `, the ${SNAPSHOT.toLocaleString('en')} most important ones` : ''}, the newest first`;
  const page = { memories, offset, hasMore: offset + PAGE < all.length, note };
  return <List page={page} all={all} onOffset={(next) => setPosition({ key, offset: next })} />;
}

type ListProps = {
  readonly page: Page;
  /** Everything that the reading has, for the export; default the page. */
  readonly all?: readonly Listed[];
  readonly onOffset: (offset: number) => void;
};

function List({ page: { memories, offset, hasMore, note }, all = memories, onOffset }: ListProps) {
  if (memories.length === 0 && offset === 0)
    return (
      <Empty>
        There are no memories here. Store one with POST /memory, import a file below, or change the filters.
      </Empty>
    );
  return (
    <section aria-labelledby="list-title">
      <div role="status">
        <h2 id="list-title">
          {offset + 1} to {offset + memories.length} {note}
        </h2>
      </div>
      <ol class="results" start={offset + 1}>
        {memories.map(({ id, content, type, tags, timestamp }) => (
          <li key={id} class="panel">
            <p class="content">
              <MemoryLink id={id}>{shorten(content, CONTENT_LENGTH)}</MemoryLink>
            </p>
            <p class="facts">
              <span class="chip">{type}</span> <Time at={timestamp} />
            </p>
            <Tags tags={tags} />
          </li>
        ))}
      </ol>
      <div class="buttons">
        <button type="button" disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - PAGE))}>
          Previous
        </button>
        <button type="button" disabled={!hasMore} onClick={() => onOffset(offset + PAGE)}>
          Next
        </button>
        <button type="button" onClick={() => exportLines(all)}>
          Export {count(all.length, 'memory', 'memories')} as JSONL
        </button>
      </div>
    </section>
  );
}
