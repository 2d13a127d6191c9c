/** One memory: its state, its neighbours, its history, and the changes that a user can make. */
import { useId, useRef } from 'preact/hooks';
import { DERIVED_TYPES } from '../../../../shared/contract/association.js';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { Empty, Field, MemoryLink, ReadingState, Skeleton, Tags, Time } from '../parts/basics.js';
import { Neighbourhood } from '../parts/neighbourhood.js';
import { goTo, hrefOf } from '../service/route.js';
import { call, memoryId } from '../service/service.js';
import { type Reading, useRead } from '../service/use-read.js';
import { AssociateForm } from './associate.js';
import { ChangeMemory } from './change-memory.js';
import { History } from './history.js';
import { Supersessions, useReplacements } from './supersessions.js';

type Memory = ReplyOf<'getMemory'>['memory'];
type Relation = Memory['relations'][number];

const DERIVED: readonly string[] = DERIVED_TYPES;
/** Memories of similar meaning in the drawing. */
const SIMILAR = 8;

export function MemoryView({ id }: { readonly id: string | null }) {
  return (
    <>
      <h1>Memory</h1>
      <OpenForm id={id} />
      {id === null ? (
        <Empty>Paste the id of a memory, or open one from a result of the recall lab.</Empty>
      ) : (
        <OneMemory key={id} id={id} />
      )}
    </>
  );
}

function OpenForm({ id: shown }: { readonly id: string | null }) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget as HTMLFormElement).get('id') ?? '').trim();
    if (id !== '') goTo(hrefOf('memory', id));
  };
  return (
    <form onSubmit={submit} class="panel line" key={shown ?? ''}>
      <Field label="Id" isWide>
        {(id) => <input id={id} name="id" defaultValue={shown ?? ''} required />}
      </Field>
      <button type="submit">Open</button>
    </form>
  );
}

function OneMemory({ id }: { readonly id: string }) {
  const params = { id: memoryId(id) };
  const reading = useRead(id, (signal) => call('getMemory', { params, signal }));
  const neighbours = useRead(id, (signal) =>
    call('listNeighbours', { params, query: { semantic_limit: SIMILAR }, signal }),
  );
  const { body, headers } = reading;
  const again = (): void => {
    reading.again();
    neighbours.again();
  };
  if (body === null) return <ReadingState reading={reading} what="the memory" />;
  const { memory } = body;
  const etag = headers?.get('etag') ?? null;
  return (
    <>
      <ReadingState reading={reading} what="the memory" />
      <article class="panel" aria-label="Content">
        <p class="content" dir="auto">
          {memory.content}
        </p>
        <p class="facts">
          <span class="chip">{memory.type}</span> importance {memory.importance}, confidence {memory.confidence},
          revision {etag?.replaceAll('"', '') ?? '?'}, happened <Time at={memory.timestamp} />, changed{' '}
          <Time at={memory.updated_at} />
          {memory.archived === true && <span class="chip">archived</span>}
          {memory.protected === true && <span class="chip">protected</span>}
        </p>
        <Tags tags={memory.tags} />
        {Object.keys(memory.metadata).length > 0 && (
          <details>
            <summary>Metadata</summary>
            <pre tabIndex={0}>{JSON.stringify(memory.metadata, null, 2)}</pre>
          </details>
        )}
      </article>
      <ChangeMemory memory={memory} etag={etag} onChanged={again} />
      <Linked {...{ memory, etag, neighbours }} onChanged={again} />
    </>
  );
}

type LinkedProps = {
  readonly memory: Memory;
  readonly etag: string | null;
  readonly neighbours: Reading<ReplyOf<'listNeighbours'>>;
  readonly onChanged: () => void;
};

/** Appears when all but the history, which is last, was read: a late section would move the buttons below it. */
function Linked({ memory, etag, neighbours, onChanged }: LinkedProps) {
  const replacements = useReplacements(memory, etag);
  const wasRead = useRef(false);
  wasRead.current ||= hasEnded(neighbours) && hasEnded(replacements);
  if (!wasRead.current) return <Skeleton what="the neighbours and the replacements" />;
  return (
    <>
      <Supersessions memory={memory} reading={replacements} />
      <section class="panel" aria-labelledby="relations-title">
        <h2 id="relations-title">Relations</h2>
        <Relations relations={memory.relations} />
        <AssociateForm id={memory.id} onAssociated={onChanged} />
        {neighbours.body === null ? (
          <ReadingState reading={neighbours} what="the neighbours" />
        ) : (
          <Neighbourhood neighbours={neighbours.body} />
        )}
        <p>
          <a href={hrefOf('graph', memory.id)}>Open in Graph</a>
        </p>
      </section>
      <History memory={memory} etag={etag} onChanged={onChanged} />
    </>
  );
}

function hasEnded({ body, problem, isLoading }: Reading<unknown>): boolean {
  return body !== null || problem !== null || !isLoading;
}

function Relations({ relations }: { readonly relations: readonly Relation[] }) {
  if (relations.length === 0) return <p>No associations.</p>;
  return (
    <>
      <RelationList title="Written by callers" relations={relations.filter((each) => !isDerived(each))} />
      <RelationList title="Derived from meaning, time and patterns" relations={relations.filter(isDerived)} />
    </>
  );
}

/** EXEMPLIFIES is of both kinds: the service names the pattern. */
function isDerived({ type, properties }: Relation): boolean {
  return DERIVED.includes(type) && (type !== 'EXEMPLIFIES' || properties?.['pattern_type'] !== undefined);
}

function RelationList({ title, relations }: { readonly title: string; readonly relations: readonly Relation[] }) {
  const id = useId();
  if (relations.length === 0) return null;
  return (
    <>
      <h3 id={id}>{title}</h3>
      <ul class="relations" aria-labelledby={id}>
        {relations.map(({ type, direction, strength, memory }, index) => (
          <li key={index}>
            {direction === 'outgoing' ? '→' : '←'} <span class="chip">{type}</span> {strength.toFixed(2)}{' '}
            <MemoryLink id={memory.id}>{memory.summary ?? memory.content ?? memory.id}</MemoryLink>
          </li>
        ))}
      </ul>
    </>
  );
}
