/** GET /recall by tables: each row is one fact, and every parameter and every part of the answer has one. */
import { expect } from 'chai';
import { recallQuery, type QueryParameter } from '../../shared/contract/queries.js';
import { recallReply } from '../../shared/contract/replies.js';
import { aliases } from './recall-table/aliases.js';
import { badInput } from './recall-table/bad-input.js';
import { blocks } from './recall-table/blocks.js';
import { configured } from './recall-table/configured.js';
import { contexts } from './recall-table/contexts.js';
import { endings } from './recall-table/endings.js';
import { expansions } from './recall-table/expansions.js';
import { explanations } from './recall-table/explanations.js';
import { filters } from './recall-table/filters.js';
import { laterParameters } from './recall-table/later-parameters.js';
import { metadata } from './recall-table/metadata.js';
import { parameters } from './recall-table/parameters.js';
import { shownPaths } from './recall-table/pattern.js';
import { results } from './recall-table/results.js';
import { scores } from './recall-table/scores.js';
import { selections } from './recall-table/selections.js';
import { states } from './recall-table/states.js';
import type { Table } from './recall-table/row.js';
import { openWorld, type World } from './recall-table/world.js';

const TABLES: readonly Table[] = [
  parameters,
  laterParameters,
  aliases,
  blocks,
  results,
  explanations,
  filters,
  scores,
  contexts,
  metadata,
  selections,
  expansions,
  states,
  endings,
  badInput,
  configured,
];

/** Tables that share a store. */
function byVariables(tables: readonly Table[]): readonly (readonly Table[])[] {
  const groups = new Map<string, Table[]>();
  for (const table of tables) {
    const key = JSON.stringify(table.variables ?? {});
    groups.set(key, [...(groups.get(key) ?? []), table]);
  }
  return [...groups.values()];
}

for (const tables of byVariables(TABLES)) {
  describe(`recall by tables, ${tables[0]?.variables ? 'its variables set' : 'as it is'}`, () => {
    let world: World;
    before(async function () {
      this.timeout(300_000);
      world = await openWorld(tables);
    });
    after(() => world.close());

    for (const table of tables) {
      describe(table.subject, () => {
        for (const row of table.rows) it(row.fact, () => world.check(table, row));
      });
    }
  });
}

describe('the tables of recall', () => {
  it('say in every row what the answer shows, and ask with the parameter that the row is about', () => {
    for (const { fact, of, ask, finds, findsAll, shows, sameAs, refuses, status } of TABLES.flatMap(
      ({ rows }) => rows,
    )) {
      expect(
        [finds, findsAll, shows, sameAs, refuses, status].some((said) => said !== undefined),
        fact,
      ).to.equal(true);
      expect(of === undefined || [ask].flat().some((one) => `&${one}`.includes(`&${of}=`)), fact).to.equal(true);
    }
  });

  it('have a row for every parameter and for each of its other names', () => {
    // The rows on bad input are made of the declarations: a new parameter would have one without anybody's doing.
    const covered = new Set(
      TABLES.filter((table) => table !== badInput).flatMap(({ rows }) => rows.map(({ of }) => of)),
    );
    const declared = (recallQuery as readonly QueryParameter[]).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(declared.filter((name) => !covered.has(name))).to.deep.equal([]);
  });

  it('have a row for every part of the answer', () => {
    const covered = new Set(
      TABLES.flatMap(({ rows }) => rows.flatMap(({ shows }) => (shows === undefined ? [] : shownPaths(shows)))),
    );
    const declared = [...new Set(declaredParts(recallReply))].filter((part) => !covered.has(part));
    expect(declared).to.deep.equal(SHOWN_NOWHERE);
  });
});

/** Associations that callers cannot write, and that recall does not show, have one. */
const SHOWN_NOWHERE = ['results[].relations[].kind'];
/** Records that other reads answer as well. */
const RECORDS = ['results[].memory', 'results[].relations[].memory', 'explain.evidence'];

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
};

/** The path of every property, `results[].id` for one of a list's items. */
function declaredParts({ properties = {}, items, anyOf = [] }: Schema, path = ''): readonly string[] {
  if (RECORDS.includes(path)) return [];
  const named = Object.entries(properties).flatMap(([name, inner]) => {
    const part = path === '' ? name : `${path}.${name}`;
    return [part, ...declaredParts(inner, part)];
  });
  return [
    ...named,
    ...(items ? declaredParts(items, `${path}[]`) : []),
    ...anyOf.flatMap((each) => declaredParts(each, path)),
  ];
}
