/**
 * Rows on aliases of parameters: an alias acts like the parameter, and the parameter wins over it. They use the
 * memories of `parameters.ts`.
 */
import type { Row, Table } from './row.js';

const LAMPS = 'tags=lamps&limit=2';
const EXPANDED = `${LAMPS}&expand_relations=1`;

/** `value` and `other` give different results from each other and from `base` alone. */
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
  subject: 'recall aliases',
  scope: 'aliases',
  rows: ALIASES.flatMap(({ alias, name, base, value, other }): Row[] => [
    {
      parameter: alias,
      fact: `treat ${alias} like ${name}`,
      ask: `${base}&${alias}=${value}`,
      sameAs: `${base}&${name}=${value}`,
      differsFrom: base,
    },
    {
      parameter: alias,
      fact: `prefer ${name} over ${alias}`,
      ask: `${base}&${alias}=${value}&${name}=${other}`,
      sameAs: `${base}&${name}=${other}`,
      differsFrom: `${base}&${alias}=${value}`,
    },
    {
      parameter: alias,
      fact: `use ${alias} if ${name} is blank`,
      ask: `${base}&${name}=&${alias}=${value}`,
      sameAs: `${base}&${name}=${value}`,
    },
  ]),
};
