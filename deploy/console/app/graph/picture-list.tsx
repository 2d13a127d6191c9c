/** The picture as two tables, page by page: for keyboards, screen readers and browsers without WebGL. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { count, shorten, Time } from '../parts/basics.js';
import { ENTITY, type Shown } from './picture.js';

const PAGE = 50;
const CONTENT_LENGTH = 80;

type ListProps = { readonly shown: Shown; readonly onSelect: (id: string) => void };

export function PictureList({ shown, onSelect }: ListProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      class="panel picture-list"
      onToggle={(event) => setIsOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>The picture as a list</summary>
      {isOpen && <Tables shown={shown} onSelect={onSelect} />}
    </details>
  );
}

function Tables({ shown: { nodes, edges }, onSelect }: ListProps) {
  const names = useMemo(() => new Map(nodes.map(({ id, content }) => [id, shorten(content, CONTENT_LENGTH)])), [nodes]);
  const degrees = useMemo(() => {
    const found = new Map<string, number>();
    for (const { source, target } of edges) for (const id of [source, target]) found.set(id, (found.get(id) ?? 0) + 1);
    return found;
  }, [edges]);
  return (
    <>
      <Paged name="Memories" heads={['Memory or entity', 'Type', 'Associations', 'Time']} items={nodes}>
        {({ id, type, timestamp }) => (
          <tr key={id}>
            <th scope="row">
              <button type="button" class="plain" dir="auto" onClick={() => onSelect(id)}>
                {names.get(id)}
              </button>
            </th>
            <td>{type}</td>
            <td class="number">{degrees.get(id) ?? 0}</td>
            <td>{type === ENTITY ? '' : <Time at={timestamp} />}</td>
          </tr>
        )}
      </Paged>
      <Paged name="Associations" heads={['From', 'Type', 'To', 'Strength']} items={edges}>
        {({ id, source, target, type, strength }) => (
          <tr key={id}>
            <td dir="auto">{names.get(source)}</td>
            <td>{type}</td>
            <td dir="auto">{names.get(target)}</td>
            <td class="number">{strength.toFixed(2)}</td>
          </tr>
        )}
      </Paged>
    </>
  );
}

type PagedProps<T> = {
  readonly name: string;
  readonly heads: readonly string[];
  readonly items: readonly T[];
  readonly children: (item: T) => ComponentChildren;
};

function Paged<T>({ name, heads, items, children }: PagedProps<T>) {
  const [wanted, setWanted] = useState(0);
  const offset = wanted < items.length ? wanted : 0;
  const pageOf = `${name}: ${offset + Math.min(1, items.length)} to ${Math.min(offset + PAGE, items.length)}`;
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={`${name} of the picture`}>
        <table>
          <caption>
            {pageOf} of {items.length.toLocaleString('en')}
          </caption>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{items.slice(offset, offset + PAGE).map(children)}</tbody>
        </table>
      </div>
      {items.length > PAGE && (
        <div class="buttons">
          <button type="button" disabled={offset === 0} onClick={() => setWanted(offset - PAGE)}>
            Previous {count(PAGE, 'row')} of {name.toLowerCase()}
          </button>
          <button type="button" disabled={offset + PAGE >= items.length} onClick={() => setWanted(offset + PAGE)}>
            Next {count(PAGE, 'row')} of {name.toLowerCase()}
          </button>
        </div>
      )}
    </>
  );
}
