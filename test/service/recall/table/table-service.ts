/** A service that holds the memories of some tables, and the check of a row against it. */
import { expect } from 'chai';
import { type Service, startService } from '../../../support/processes/service.js';
import { NOW } from './clock.js';
import { differences, mapTexts } from './pattern.js';
import type { Row, Table } from './row.js';

const HOUR_MS = 3_600_000;

export type TableService = {
  readonly check: (table: Table, row: Row) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Names = ReadonlyMap<string, string>;
type Result = { readonly id: string; readonly final_score: number; readonly match_type: string };

/**
 * All tables must have the same variables. Each write has its own time within the hour before NOW; later the clock
 * stays at NOW.
 */
export async function openTableService(tables: readonly Table[]): Promise<TableService> {
  let milliseconds = 0;
  let isStoring = true;
  const now = (): Date => (isStoring ? new Date(NOW.getTime() - HOUR_MS + milliseconds++) : NOW);
  const service = await startService({ enriches: true, variables: tables[0]?.variables ?? {}, clock: { now } });
  const filled = await Promise.all(
    tables.map(async (table) => ({ scope: table.scope, names: await fill(service, table) })),
  );
  const namesIn = (scope: string): Names =>
    new Map(filled.filter((each) => each.scope === scope).flatMap(({ names }) => [...names]));
  await service.settled();
  isStoring = false;
  return { check: (table, row) => check(service, row, namesIn(table.scope)), close: service.close };
}

/** Stores the memories and resolves with their ids by name. */
async function fill(service: Service, { scope, memories = {}, associations = [] }: Table): Promise<Names> {
  const names = new Map<string, string>();
  const create = async (path: string, body: object): Promise<{ readonly memory_id: string }> => {
    const answer = await service.request('POST', path, { body });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  };
  for (const [name, memory] of Object.entries(memories)) {
    const body = {
      type: 'Context',
      timestamp: '2020-01-01T00:00:00Z',
      ...memory,
      tags: [scope, ...(memory.tags ?? [])],
    };
    names.set(name, (await create('/memory', body)).memory_id);
  }
  for (const [from, type, to, strength, properties = {}] of associations) {
    await create('/associate', {
      memory1_id: names.get(from),
      memory2_id: names.get(to),
      type,
      strength,
      ...properties,
    });
  }
  return names;
}

async function check(service: Service, row: Row, names: Names): Promise<void> {
  const named = (text: string): string =>
    text.replace(/\{(\w+)\}/gu, (_, name: string) => names.get(name) ?? `the table has no memory named ${name}`);
  const breaker = row.without && service.breakers[row.without];
  breaker?.break();
  try {
    for (const ask of typeof row.ask === 'string' ? [row.ask] : row.ask)
      await checkOne(service, row, { ask, names, named });
  } finally {
    breaker?.mend();
  }
}

type RowRequest = { readonly ask: string; readonly names: Names; readonly named: (text: string) => string };

async function checkOne(service: Service, row: Row, { ask, names, named }: RowRequest): Promise<void> {
  const recall = (query: string) => service.request('GET', `/recall?${named(query)}`);
  const { status, body } = await recall(ask);
  const request = ask.slice(0, 200);
  expect(status, `${request} ${JSON.stringify(body)}`).to.equal(row.status ?? (row.rejects === undefined ? 200 : 400));
  if (row.rejects !== undefined) expect(body.message, request).to.match(startingWith(row.rejects));
  if (row.shows !== undefined) expect(differences(mapTexts(row.shows, named), body), request).to.deep.equal([]);
  const nameOf = new Map([...names].map(([name, id]) => [id, name]));
  const found = (): readonly string[] => body.results.map(({ id }: Result) => nameOf.get(id) ?? id);
  if (row.finds) expect(found(), request).to.deep.equal(row.finds);
  if (row.findsAll) expect(found(), request).to.have.members(row.findsAll);
  if (row.sameAs !== undefined) expect(ranking(body), request).to.deep.equal(ranking((await recall(row.sameAs)).body));
  if (row.differsFrom !== undefined)
    expect(comparable(body), request).to.not.deep.equal(comparable((await recall(row.differsFrom)).body));
}

function startingWith(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')}`, 'u');
}

function ranking({ results }: { readonly results: readonly Result[] }) {
  return results.map(({ id, final_score, match_type }) => ({ id, final_score, match_type }));
}

/** The reply without its duration and without the access times, which earlier recalls change. */
function comparable(body: { readonly results: readonly { readonly memory: object }[] }): object {
  return {
    ...body,
    query_time_ms: null,
    results: body.results.map((result) => ({ ...result, memory: { ...result.memory, last_accessed: null } })),
  };
}
