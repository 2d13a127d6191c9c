/** The memory that is selected in the graph view. */
import { MemoryLink, ReadingState, Tags, Time } from '../parts/basics.js';
import { hrefOf } from '../service/route.js';
import { call, memoryId } from '../service/service.js';
import { useRead } from '../service/use-read.js';
import { HUB_LIMIT, type Shown } from './picture.js';

type SelectedProps = {
  readonly id: string;
  readonly isShown: boolean;
  readonly isHub: boolean;
  readonly onSelect: (id: string) => void;
  readonly onExpand: (id: string) => void;
};

type EntityProps = {
  readonly tag: string;
  readonly shown: Shown;
  readonly onSelect: (id: string) => void;
};

/** An entity that is selected in the graph view, with its memories in the picture. */
export function SelectedEntity({ tag, shown: { nodes, edges }, onSelect }: EntityProps) {
  const entity = nodes.find(({ id }) => id === tag);
  const named = new Set(edges.filter(({ source }) => source === tag).map(({ target }) => target));
  const memories = nodes.filter(({ id }) => named.has(id));
  return (
    <>
      <p class="content">{entity?.content ?? tag}</p>
      <p class="facts">
        <span class="chip">Entity</span> <a href={hrefOf('browse', null, { tag })}>All memories that name it</a>
      </p>
      <h3>Memories in the picture</h3>
      {memories.length === 0 && <p>The filters hide it, or the picture is full.</p>}
      <ul class="relations">
        {memories.map(({ id, content }) => (
          <li key={id}>
            <button type="button" class="plain" onClick={() => onSelect(id)}>
              {content}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

export function Selected({ id, isShown, isHub, onSelect, onExpand }: SelectedProps) {
  const reading = useRead(id, (signal) => call('getMemory', { params: { id: memoryId(id) }, signal }));
  if (reading.body === null) return <ReadingState reading={reading} what="the memory" />;
  const { memory } = reading.body;
  const strongest = [...memory.relations].sort((one, other) => other.strength - one.strength);
  return (
    <>
      <p class="content" dir="auto">
        {memory.content}
      </p>
      <p class="facts">
        <span class="chip">{memory.type}</span> importance {memory.importance}, <Time at={memory.timestamp} />
      </p>
      <Tags tags={memory.tags} />
      {!isShown && <p>The filters hide it, or the picture is full.</p>}
      {isHub && (
        <p>
          It has more than {HUB_LIMIT} associations: the picture has the strongest {HUB_LIMIT}.
        </p>
      )}
      <div class="buttons">
        <button type="button" onClick={() => onExpand(id)}>
          Add its neighbours
        </button>
        <MemoryLink id={id}>Open the memory</MemoryLink>
        <a href={hrefOf('graph', id)}>Start here</a>
      </div>
      <h3>Relations</h3>
      {strongest.length === 0 && <p>No associations.</p>}
      <ul class="relations">
        {strongest.slice(0, HUB_LIMIT).map(({ type, direction, strength, memory: other }) => (
          <li key={`${type} ${direction} ${other.id}`}>
            {direction === 'outgoing' ? '→' : '←'} <span class="chip">{type}</span> {strength.toFixed(2)}{' '}
            <button type="button" class="plain" dir="auto" onClick={() => onSelect(other.id)}>
              {other.summary ?? other.content ?? other.id}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
