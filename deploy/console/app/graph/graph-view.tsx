/**
 * The graph as a picture to explore: from the most important memories, or from one memory, on to neighbours. The
 * address has the start and the filters. What was read stays in the picture until the start changes.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { count, Empty, listOf, ProblemNote, ReadingState } from '../parts/basics.js';
import { goTo, hrefOf, type Parameters } from '../service/route.js';
import { call, memoryId, type Problem } from '../service/service.js';
import { useRead } from '../service/use-read.js';
import { Find } from './find.js';
import { FilterPanel } from './legend.js';
import {
  EDGES_LIMIT,
  EMPTY_PICTURE,
  ENTITY,
  type Filters,
  HUB_LIMIT,
  isEntity,
  NODES_LIMIT,
  type PicturePart,
  shownOf,
  withPart,
} from './picture.js';
import { PictureList } from './picture-list.js';
import { Selected, SelectedEntity } from './selected.js';
import { Stage } from './stage.js';

/** Memories of the first picture, and of each larger one: an answer with 300 memories has some 200 KB. */
const SIZES = [300, 1_000, 2_500, NODES_LIMIT];

type GraphProps = { readonly id: string | null; readonly parameters: Parameters };

export function GraphView({ id, parameters }: GraphProps) {
  return (
    <>
      <h1>Graph</h1>
      <Explorer key={id ?? ''} id={id} parameters={parameters} />
    </>
  );
}

function Explorer({ id: start, parameters }: GraphProps) {
  const [picture, setPicture] = useState(EMPTY_PICTURE);
  const [selected, setSelected] = useState<string | null>(start);
  const [size, setSize] = useState(start === null ? SIZES[0] : undefined);
  /** The memories that an earlier snapshot of the same time has brought. */
  const [known, setKnown] = useState({ number: 0, since: '' });
  const { hubs, problem, expand } = useExpand((part) => setPicture((old) => withPart(old, part)));
  const filters = useMemo(() => filtersOf(parameters), [JSON.stringify(parameters)]);
  const shown = useMemo(() => shownOf(picture, filters), [picture, filters]);

  const { since } = filters;
  const offset = known.since === since ? known.number : 0;
  const snapshot = useRead(size === undefined ? null : `${size} ${since}`, (signal) =>
    call('snapshotGraph', {
      query: { limit: size ?? 0, ...(offset > 0 && { offset }), ...(since !== '' && { since }) },
      signal,
    }),
  );
  const { body } = snapshot;
  useEffect(() => {
    if (body !== null) setPicture((old) => withPart(old, body));
  }, [body]);
  useEffect(() => {
    if (start !== null) void expand(start);
  }, [start]);

  const select = (id: string | null): void => {
    setSelected(id);
    if (id !== null && !picture.nodes.has(id) && !isEntity(id)) void expand(id);
  };
  const add = (id: string): void => {
    if (!isEntity(id)) void expand(id);
  };
  const change = (changed: Parameters): void => goTo(hrefOf('graph', start, { ...parameters, ...changed }));
  const memories = shown.nodes.filter(({ type }) => type !== ENTITY);
  const associations = shown.edges.filter(({ type }) => type !== ENTITY);
  const entities = shown.nodes.length - memories.length;
  const allHubs = new Set([...hubs, ...shown.hubs]);
  const crowded = [...allHubs].filter((id) => !isEntity(id));
  const isReading = snapshot.isLoading && size !== undefined;
  const larger = SIZES.find((each) => each > (size ?? 0));
  const loadMore = (): void => {
    setKnown({ number: body === null ? 0 : (size ?? 0), since });
    setSize(larger);
  };
  const hasMore = larger !== undefined && !isReading && (body === null || body.stats.sampled) && !picture.isFull;
  return (
    <>
      <Find onSelect={select} />
      <ReadingState reading={snapshot} what="the graph" />
      <ProblemNote problem={problem} />
      {picture.nodes.size === 0 && body !== null && (
        <Empty>There are no memories here. Store one, or change the filters.</Empty>
      )}
      <div class="explorer">
        <section class="panel" aria-labelledby="picture-title">
          <div role="status">
            <h2 id="picture-title">
              {count(memories.length, 'memory', 'memories')}, {count(associations.length, 'association')}
              {body !== null && ` of ${count(body.stats.total_nodes, 'memory', 'memories')} in the graph`}
              {entities > 0 && `, and ${count(entities, 'entity', 'entities')}`}
            </h2>
          </div>
          {picture.isFull && (
            <p class="note">
              The picture is full: it has at most {NODES_LIMIT.toLocaleString('en')} memories and{' '}
              {EDGES_LIMIT.toLocaleString('en')} associations. Start from one memory to see others.
            </p>
          )}
          {crowded.length > 0 && (
            <p class="note">
              {count(crowded.length, 'memory has', 'memories have')} more than {HUB_LIMIT} associations: only the
              strongest {HUB_LIMIT} are drawn.
            </p>
          )}
          {allHubs.size > crowded.length && (
            <p class="note">
              {count(allHubs.size - crowded.length, 'entity has', 'entities have')} more than {HUB_LIMIT} memories: only{' '}
              {HUB_LIMIT} are joined to it.
            </p>
          )}
          <Stage shown={shown} selected={selected} onSelect={select} onExpand={add} />
          <div class="buttons">
            {hasMore && (
              <button type="button" onClick={loadMore}>
                {size === undefined ? 'Add' : 'Load more:'} the {larger.toLocaleString('en')} most important memories
              </button>
            )}
            {start !== null && <a href={hrefOf('graph', null, parameters)}>Start from the whole graph</a>}
          </div>
        </section>
        <aside class="panel" aria-label="Selected memory">
          {selected === null ? (
            <p>Select a memory to see it here.</p>
          ) : isEntity(selected) ? (
            <SelectedEntity tag={selected} shown={shown} onSelect={select} />
          ) : (
            <Selected
              key={selected}
              id={selected}
              isShown={shown.nodes.some(({ id }) => id === selected)}
              isHub={allHubs.has(selected)}
              onSelect={select}
              onExpand={add}
            />
          )}
        </aside>
      </div>
      <FilterPanel picture={picture} entities={entities} filters={filters} parameters={parameters} onChange={change} />
      <PictureList shown={shown} onSelect={select} />
    </>
  );
}

/** Reads the neighbours of memories: the strongest of a hub. */
function useExpand(onRead: (part: PicturePart) => void) {
  const [hubs, setHubs] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<Problem | null>(null);
  const expand = async (id: string): Promise<void> => {
    const query = { include_semantic: 'false', order: 'strength' } as const;
    const result = await call('listNeighbours', { params: { id: memoryId(id) }, query });
    setProblem(result.ok ? null : result.problem);
    if (!result.ok) return;
    const { center, graph_neighbors: neighbours, edges } = result.body;
    onRead({ nodes: [center, ...neighbours.slice(0, HUB_LIMIT)], edges });
    if (neighbours.length > HUB_LIMIT) setHubs((old) => new Set(old).add(id));
  };
  return { hubs, problem, expand };
}

function filtersOf({ hide = '', tag = '', since = '', until = '', strength = '', entities }: Parameters): Filters {
  const least = Number(strength);
  return {
    ...{ hidden: new Set(listOf(hide)), tag, since, until, strength: Number.isFinite(least) ? least : 0 },
    entities: entities === 'yes' ? true : entities === 'no' ? false : null,
  };
}
