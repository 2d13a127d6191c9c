/** Stores memories with marked words, and runs every feature that copies words out of a memory. */
import { expect } from 'chai';
import type { Place } from '../../support/checks/find-words.js';
import { until } from '../../support/checks/until.js';
import type { Service } from '../../support/processes/service.js';

export const ADMIN = { 'X-Admin-Token': 'admin-of-the-tests' };
const OLD = '2025-01-01T00:00:00+00:00';
const RECENT = '2026-05-31T00:00:00+00:00';
/** The embedder of the test throws an error with the text that it got, for a text with this word. */
export const REFUSED_BY_ENCODER = 'unencodable';
/** The graph of the test refuses an event with this word, with an error that has the event. */
export const REFUSED_BY_GRAPH = 'ungraphable';

/** The content of a memory that stays. */
export const KEPT = 'The harbour is large';

export const VARIABLES = {
  ADMIN_API_TOKEN: ADMIN['X-Admin-Token'],
  PROJECTORS: 'vector-indexer,enricher,access-recorder,consolidator',
  ENRICHMENT_FAILURE_BACKOFF_SECONDS: '0',
  CONSOLIDATION_ARCHIVE_THRESHOLD: '0.2',
  CONSOLIDATION_DELETE_THRESHOLD: '0.1',
  IDENTITY_SYNTHESIS_ENABLED: 'true',
};

/** Words that no other text has, each named after what it marks. */
export function markWords<const T extends string>(marks: readonly T[], random: () => number): Record<T, string> {
  const letters = 'bcdfghjklmnpqrstvwxz';
  const word = () => Array.from({ length: 12 }, () => letters[Math.floor(random() * letters.length)]).join('');
  return Object.fromEntries(marks.map((mark) => [mark, word()])) as Record<T, string>;
}

export const MARKS = [
  'content',
  'earlier content',
  'tag',
  'metadata',
  'association',
  'imported',
  'reason of protection',
  'oldest of a cluster',
  'archived',
  'forgotten',
  'word of a habit',
  'source of an identity',
  'alias of one with memories',
  'alias',
  'entity',
  'refused by the encoder',
  'refused by the graph',
] as const;
export type Words = Readonly<Record<(typeof MARKS)[number], string>>;

export type Marked = {
  /** The memories with marked words. */
  readonly ids: readonly string[];
  /** What operators read while the memories exist: dead letters, states, jobs and the history of consolidation. */
  readonly reports: readonly Place[];
};

/** What the composition of the test does. */
export type Faults = {
  /** While true, the graph refuses every event with REFUSED_BY_GRAPH. */
  isGraphRefusing: boolean;
  /** The errors of committed events that the graph refused so far. */
  readonly failedCommits: () => Promise<readonly Place[]>;
};

export async function storeMarkedWords(service: Service, words: Words, faults: Faults): Promise<Marked> {
  const ids: string[] = [];
  async function send(method: string, path: string, body?: object, expected = 200) {
    const reply = await service.request(method, path, { headers: ADMIN, ...(body && { body }) });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(expected);
    return reply.body;
  }
  /** Without marked words: it stays. */
  const store = async (content: string, more: object = {}): Promise<string> =>
    (await send('POST', '/memory', { content, type: 'Context', ...more }, 201)).memory_id as string;
  async function mark(content: string, more: object = {}): Promise<string> {
    const id = await store(content, more);
    ids.push(id);
    return id;
  }
  const consolidate = (mode: string) => send('POST', '/consolidate', { mode, dry_run: false });

  const first = await mark(`Note ${words['earlier content']}`, { tags: [words.tag] });
  await send('PATCH', `/memory/${first}`, { content: `Note ${words.content}`, metadata: { topic: words.metadata } });
  const second = await mark('Another note');
  const association = { memory1_id: first, memory2_id: second, type: 'PREFERS_OVER', strength: 0.5 };
  await send('POST', '/associate', { ...association, reason: words.association, context: words.association }, 201);

  const imported = '0b0b0b0b-0000-4000-8000-000000000001';
  const old = { timestamp: OLD, last_accessed: OLD };
  await send('POST', '/admin/import', {
    memories: [
      {
        id: imported,
        content: words.imported,
        type: 'Context',
        ...old,
        importance: 0.2,
        protected: true,
        protected_reason: words['reason of protection'],
      },
    ],
  });
  ids.push(imported);
  await mark(`Archived ${words.archived}`, { ...old, importance: 0.5, embedding: axis(9) });
  await mark(`Forgotten ${words.forgotten}`, { ...old, importance: 0.2, embedding: axis(10) });

  const ofCluster = (content: string, number: number) =>
    [content, { embedding: axis(0, 1 + number), timestamp: RECENT.replace('00:00:00', `00:0${number}:00`) }] as const;
  await mark(...ofCluster(`The boiler failed: ${words['oldest of a cluster']}`, 0));
  for (let number = 1; number < 6; number++) await store(...ofCluster(`The boiler failed, report ${number}`, number));

  // The pattern of a type with four memories is written with the fifth, and named in those that are enriched later.
  const habit = (content: string) => [content, { type: 'Habit', confidence: 0.9 }] as const;
  for (const dose of ['one', 'two', 'three', 'four', 'five'])
    await mark(...habit(`Coffee with ${words['word of a habit']} ${dose}`));
  await service.settled();
  for (const time of ['lunch', 'work', 'dinner']) await store(...habit(`Coffee before ${time}`));

  const harbour = { tags: ['entity:tools:harbour'] };
  await store(KEPT, harbour);
  await mark(`The harbour has ${words['source of an identity']}`, harbour);
  await mark('The port is large', { tags: [`entity:tools:${words['alias of one with memories']}`] });
  const both = { tags: [`entity:people:${words.entity}-${words.alias}`, `entity:people:${words.entity}`] };
  await mark('Met at the office', both);
  await mark('Met at the station', both);
  await service.settled();
  await send('POST', `/entity/${words['alias of one with memories']}/merge`, { merge_into: 'harbour' });

  await mark(`${REFUSED_BY_ENCODER} ${words['refused by the encoder']}`);
  const refused = await mark('Refused later');
  await service.settled();
  faults.isGraphRefusing = true;
  await service.request('PATCH', `/memory/${refused}`, {
    body: { content: `${REFUSED_BY_GRAPH} ${words['refused by the graph']}` },
  });
  const reports = [...(await readReports(service)), ...(await faults.failedCommits())];
  faults.isGraphRefusing = false;
  await service.settled();

  for (const mode of ['decay', 'forget', 'creative', 'cluster', 'identity']) {
    await consolidate(mode);
    await service.settled();
  }
  await send('POST', '/admin/sync', { dry_run: false });
  await service.settled();
  return { ids, reports: [...reports, ...(await readReports(service))] };
}

/** Nearly the same direction for each `other`. */
function axis(place: number, other = place): number[] {
  return Array.from({ length: 16 }, (_, at) => (at === place ? 1 : at === other ? 0.1 : 0));
}

async function readReports({ engines, request }: Service): Promise<readonly Place[]> {
  const found = {
    'dead letters': await engines.deadLetters.list({ afterId: 0, limit: 1_000 }),
    'states of projectors': await engines.projectorStates.list(),
    jobs: await engines.jobs.list({ limit: 100 }),
    'history of consolidation': (await request('GET', '/consolidate/status')).body,
  };
  return Object.entries(found).map(([name, value]) => ({ name, text: JSON.stringify(value) }));
}

export async function deleteMarked(service: Service, { ids }: Marked): Promise<void> {
  for (const id of ids) {
    await until(`memory ${id} is deleted`, async () => {
      const { status } = await service.request('DELETE', `/memory/${id}`);
      return status === 200 || status === 404; // consolidation may have deleted it
    });
  }
  await service.settled();
}
