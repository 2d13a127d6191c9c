/** Tests of GET /recall from tables: each row is one test, and each parameter and each field of the reply has a row. */
import { expect } from 'chai';
import type { QueryParameter } from '../../../shared/contract/queries.js';
import { recallQuery } from '../../../shared/contract/queries/recall-query.js';
import { recallReply } from '../../../shared/contract/recall-reply.js';
import { aliases } from './table/aliases.js';
import { badInput } from './table/bad-input.js';
import { blocks } from './table/blocks.js';
import { configured } from './table/configured.js';
import { contexts } from './table/contexts.js';
import { endings } from './table/endings.js';
import { expansions } from './table/expansions.js';
import { explanations } from './table/explanations.js';
import { filters } from './table/filters.js';
import { laterParameters } from './table/later-parameters.js';
import { metadata } from './table/metadata.js';
import { parameters } from './table/parameters.js';
import { shownPaths } from './table/pattern.js';
import { results } from './table/results.js';
import type { Table } from './table/row.js';
import { scores } from './table/scores.js';
import { selections } from './table/selections.js';
import { states } from './table/states.js';
import { openTableService, type TableService } from './table/table-service.js';

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

/** Groups the tables that can share one service. */
function byVariables(tables: readonly Table[]): readonly (readonly Table[])[] {
  const groups = new Map<string, Table[]>();
  for (const table of tables) {
    const key = JSON.stringify(table.variables ?? {});
    groups.set(key, [...(groups.get(key) ?? []), table]);
  }
  return [...groups.values()];
}

for (const tables of byVariables(TABLES)) {
  describe(tables[0]?.variables ? 'configured' : 'default', () => {
    let service: TableService;
    before(async function () {
      this.timeout(300_000);
      service = await openTableService(tables);
    });
    after(() => service.close());

    for (const table of tables) {
      describe(table.subject, () => {
        for (const row of table.rows) it(row.fact, () => service.check(table, row));
      });
    }
  });
}

describe('the tables of recall', () => {
  it('have an expectation and their parameter in each row', () => {
    for (const { fact, parameter, ask, finds, findsAll, shows, sameAs, rejects, status } of TABLES.flatMap(
      ({ rows }) => rows,
    )) {
      expect(
        [finds, findsAll, shows, sameAs, rejects, status].some((expected) => expected !== undefined),
        fact,
      ).to.equal(true);
      expect(
        parameter === undefined || [ask].flat().some((one) => `&${one}`.includes(`&${parameter}=`)),
        fact,
      ).to.equal(true);
    }
  });

  it('have a row for each parameter and each of its aliases', () => {
    // The bad-input rows are generated from the declarations, so a new parameter always has one. They do not count
    // here.
    const covered = new Set(
      TABLES.filter((table) => table !== badInput).flatMap(({ rows }) => rows.map(({ parameter }) => parameter)),
    );
    const declared = (recallQuery as readonly QueryParameter[]).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(declared.filter((name) => !covered.has(name))).to.deep.equal([]);
  });

  it('have a row for each field of the reply', () => {
    const covered = new Set(
      TABLES.flatMap(({ rows }) => rows.flatMap(({ shows }) => (shows === undefined ? [] : shownPaths(shows)))),
    );
    const declared = [...new Set(declaredParts(recallReply))].filter((part) => !covered.has(part));
    expect(declared).to.deep.equal(HIDDEN_PARTS);
  });
});

/** Only associations that callers cannot write have this field, and recall does not show them. */
const HIDDEN_PARTS = ['results[].relations[].kind'];
/** Records that other operations return too, so other tests cover their fields. */
const RECORDS = ['results[].memory', 'results[].relations[].memory', 'explain.evidence'];
/** Identities need a language model, so the test of identities covers these fields. */
const IDENTITIES = 'entities';

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
};

/** The path of each property, for example `results[].id` for a property of list items. */
function declaredParts({ properties = {}, items, anyOf = [] }: Schema, path = ''): readonly string[] {
  if (RECORDS.includes(path)) return [];
  const named = Object.entries(properties).flatMap(([name, inner]) => {
    const part = path === '' ? name : `${path}.${name}`;
    return part === IDENTITIES ? [] : [part, ...declaredParts(inner, part)];
  });
  return [
    ...named,
    ...(items ? declaredParts(items, `${path}[]`) : []),
    ...anyOf.flatMap((each) => declaredParts(each, path)),
  ];
}
