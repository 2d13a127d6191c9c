/** Rows on the other names of parameters: each does what the name does, and gives way to it. They ask about the memories of `parameters.ts`. */
import type { Row, Table } from './row.js';

const LAMPS = 'tags=lamps&limit=2';
const EXPANDED = `${LAMPS}&expand_relations=1`;

/** Two values that make a difference to what `base` finds, and between them. */
type Alias = {
  readonly alias: string;
  readonly name: string;
  readonly base: string;
  readonly value: string;
  readonly other: string;
};

const ALIASES: readonly Alias[] = [
  { alias: 'order_by', name: 'sort', base: LAMPS, value: 'time_desc', other: 'time_asc' },
  { alias: 'time', name: 'time_query', base: LAMPS, value: 'march+2019', other: 'since+2018' },
  { alias: 'lang', name: 'language', base: LAMPS, value: 'py', other: 'rust' },
  { alias: 'file_path', name: 'active_path', base: LAMPS, value: 'a.py', other: 'a.rs' },
  { alias: 'focus_path', name: 'active_path', base: LAMPS, value: 'a.py', other: 'a.rs' },
  { alias: 'expand_associations', name: 'expand_relations', base: LAMPS, value: 'true', other: 'false' },
  { alias: 'expand', name: 'expand_relations', base: LAMPS, value: '1', other: '0' },
  { alias: 'entity_expansion', name: 'expand_entities', base: `${LAMPS}&query=shed`, value: 'yes', other: 'no' },
  { alias: 'relation_expansion_limit', name: 'expansion_limit', base: EXPANDED, value: '1', other: '2' },
];

export const aliases: Table = {
  subject: 'other names of parameters',
  scope: 'aliases',
  rows: ALIASES.flatMap(({ alias, name, base, value, other }): Row[] => [
    {
      of: alias,
      fact: `${alias} is ${name}`,
      ask: `${base}&${alias}=${value}`,
      sameAs: `${base}&${name}=${value}`,
      differsFrom: base,
    },
    {
      of: alias,
      fact: `${alias} gives way to ${name}`,
      ask: `${base}&${alias}=${value}&${name}=${other}`,
      sameAs: `${base}&${name}=${other}`,
      differsFrom: `${base}&${alias}=${value}`,
    },
    {
      of: alias,
      fact: `${alias} counts where ${name} is blank`,
      ask: `${base}&${name}=&${alias}=${value}`,
      sameAs: `${base}&${name}=${value}`,
    },
  ]),
};
