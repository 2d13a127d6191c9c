/** The types of the picture with their colours, each of which can be left out, and the other filters. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { DayFields, Field, ShareField } from '../parts/basics.js';
import type { Parameters } from '../service/route.js';
import { type Filters, hasEntities, type Picture } from './picture.js';

type FiltersProps = {
  readonly picture: Picture;
  /** Entities in the drawing. */
  readonly entities: number;
  readonly filters: Filters;
  readonly parameters: Parameters;
  readonly onChange: (changed: Parameters) => void;
};

export function FilterPanel({ picture, entities, filters, parameters, onChange }: FiltersProps) {
  const toggle = (type: string): void => {
    const hidden = new Set(filters.hidden);
    if (!hidden.delete(type)) hidden.add(type);
    onChange({ hide: [...hidden].sort().join(',') });
  };
  const memories = typesOf(picture.nodes.values());
  const associations = typesOf(picture.edges.values());
  const group = (name: string, types: readonly TypeCount[], drawSwatch: (type: TypeCount) => ComponentChildren) => (
    <fieldset>
      <legend>{name}</legend>
      {types.map((each) => (
        <label key={each.type}>
          <input type="checkbox" checked={!filters.hidden.has(each.type)} onChange={() => toggle(each.type)} />{' '}
          <svg class="swatch" viewBox="0 0 24 10" aria-hidden="true">
            {drawSwatch(each)}
          </svg>
          {each.type} <small>{each.count.toLocaleString('en')}</small>
        </label>
      ))}
    </fieldset>
  );
  return (
    <section class="panel graph-filters" aria-labelledby="legend-title">
      <h2 id="legend-title">Legend and filters</h2>
      {group('Memories', memories, ({ color }) => (
        <circle cx="12" cy="5" r="5" fill={color} />
      ))}
      {group('Associations', associations, ({ type, color }) => (
        <path d={LINES[type] ?? LINE} stroke={color} stroke-width="2" fill="none" />
      ))}
      <fieldset>
        <legend>Entities</legend>
        <label>
          <input
            type="checkbox"
            checked={hasEntities(picture, filters)}
            onChange={(event) => onChange({ entities: event.currentTarget.checked ? 'yes' : 'no' })}
          />{' '}
          <svg class="swatch" viewBox="0 0 24 10" aria-hidden="true">
            <rect class="entity" x="7" width="10" height="10" />
          </svg>
          Entities that memories name <small>{entities.toLocaleString('en')}</small>
        </label>
      </fieldset>
      <FilterForm parameters={parameters} onChange={onChange} />
    </section>
  );
}

const LINE = 'M0 5H24';
const ARROW = 'M0 5H23M18 1L23 5L18 9';
const LINES: Readonly<Record<string, string>> = {
  INVALIDATED_BY: ARROW,
  EVOLVED_INTO: ARROW,
  CONTRADICTS: `${ARROW}M6 1L1 5L6 9`,
};

type TypeCount = { readonly type: string; readonly color: string; readonly count: number };

/** Most frequent first. */
function typesOf(items: Iterable<{ readonly type: string; readonly color: string }>): readonly TypeCount[] {
  const found = new Map<string, TypeCount>();
  for (const { type, color } of items) found.set(type, { type, color, count: (found.get(type)?.count ?? 0) + 1 });
  return [...found.values()].sort((one, other) => other.count - one.count || (one.type < other.type ? -1 : 1));
}

const NAMES = ['tag', 'since', 'until', 'strength'] as const;

function FilterForm({ parameters, onChange }: Pick<FiltersProps, 'parameters' | 'onChange'>) {
  const form = useRef<HTMLFormElement>(null);
  // The address can change without the form, and the focus stays in it. Before the next picture: what a user types then
  // stays.
  useLayoutEffect(
    () => form.current?.reset(),
    NAMES.map((name) => parameters[name]),
  );
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    onChange(Object.fromEntries(NAMES.map((name) => [name, String(data.get(name) ?? '').trim()])));
  };
  return (
    <form ref={form} onSubmit={submit}>
      <div class="fields">
        <Field label="Tag" hint="A whole tag.">
          {(id) => <input id={id} name="tag" defaultValue={parameters['tag'] ?? ''} />}
        </Field>
        <DayFields {...parameters} />
        <ShareField
          step="0.05"
          label="Strength from"
          name="strength"
          hint="Of associations, 0 to 1."
          value={parameters['strength'] ?? ''}
        />
      </div>
      <div class="buttons">
        <button type="submit">Filter</button>
        <button
          type="button"
          onClick={() => onChange({ hide: '', tag: '', since: '', until: '', strength: '', entities: '' })}
        >
          Clear filters
        </button>
      </div>
    </form>
  );
}
