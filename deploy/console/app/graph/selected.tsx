/** The memory that is selected in the graph view. */
import { MemoryLink, ReadingState, Tags, Time } from '../parts/basics.js';
import { hrefOf } from '../service/route.js';
import { call, memoryId } from '../service/service.js';
import { useRead } from '../service/use-read.js';
import { HUB_LIMIT } from './picture.js';

type SelectedProps = {
  readonly id: string;
  readonly isShown: boolean;
  readonly isHub: boolean;
  readonly onSelect: (id: string) => void;
  readonly onExpand: (id: string) => void;
};

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
