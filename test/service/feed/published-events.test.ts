/** The events in the journal, which Kafka consumers also receive, match the published schemas. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { EVENT_FOLDER, schemaFileName } from '../../../deploy/docs/generate/event-documents.js';
import type { Engines } from '../../../deploy/embedded/engines.js';
import { EVENT_DATA_SCHEMAS } from '../../../shared/contract/event-schemas.js';
import { type EventType, type RecordedEvent, SCHEMA_VERSIONS, toCloudEvent } from '../../../shared/contract/events.js';
import { REPOSITORY } from '../../support/checks/source-files.js';
import { type Service, startService } from '../../support/processes/service.js';

const ADMIN_TOKEN = 'admin-token-of-the-tests';
const TYPES = Object.keys(SCHEMA_VERSIONS) as EventType[];

describe('published event schemas', () => {
  const ajv = addFormats.default(new Ajv({ strict: true, allowUnionTypes: true }));
  const published = new Map(
    TYPES.map((type) => [
      type,
      ajv.compile(JSON.parse(readFileSync(join(REPOSITORY, EVENT_FOLDER, schemaFileName(type)), 'utf8')) as object),
    ]),
  );
  let service: Service;
  let events: readonly RecordedEvent[];

  before(async function () {
    this.timeout(180_000); // every kind of command, each awaited, over servers that share the cores
    service = await startService({
      enriches: true,
      variables: {
        ENRICHMENT_FAILURE_BACKOFF_SECONDS: '0',
        ADMIN_API_TOKEN: ADMIN_TOKEN,
        CONSOLIDATION_ARCHIVE_THRESHOLD: '0.1',
      },
      alter: failingForNewYear,
    });
    await sendEveryCommand(service);
    events = await service.engines.journal.read({ after: 0, limit: 1_000 });
  });
  after(() => service.close());

  it('accept every event that the service writes', () => {
    for (const event of events) {
      const isValid = published.get(event.type);
      // as a consumer receives it
      const received: unknown = JSON.parse(JSON.stringify(toCloudEvent(event)));
      expect(isValid?.(received) ? [] : isValid?.errors, `${event.type} ${event.position}`).to.deep.equal([]);
    }
    expect([...new Set(events.map(({ type }) => type))]).to.have.members(TYPES);
  });

  it('describe every property of every event', () => {
    const kept = events.filter(({ data }) => data !== null);
    for (const { type, data, position } of kept) {
      const isValid = ajv.compile(EVENT_DATA_SCHEMAS[type]);
      expect(isValid(data) ? [] : isValid.errors, `${type} ${position}`).to.deep.equal([]);
    }
    expect([...new Set(kept.map(({ type }) => type))]).to.have.members(TYPES);
  });

  it('accept an erased event and an event with a future property', () => {
    expect(
      events.filter(({ data }) => data === null),
      'the events of what was deleted',
    ).to.not.be.empty;
    for (const event of events) {
      const isValid = published.get(event.type);
      expect(isValid?.(toCloudEvent({ ...event, data: null })), `${event.type} erased`).to.equal(true);
      const data = event.data === null ? {} : { data: { ...event.data, tomorrow: {} } };
      expect(isValid?.({ ...toCloudEvent(event), ...data, tomorrow: 1 }), `${event.type} of tomorrow`).to.equal(true);
    }
  });

  it('reject an event of another type or version, or without envelope', () => {
    const [event] = events;
    if (event === undefined) throw new Error('The service has written no event');
    const isValid = published.get(event.type);
    const { id: _, ...withoutId } = toCloudEvent(event);
    for (const wrong of [
      { ...toCloudEvent(event), type: 'memory.forgotten' },
      { ...toCloudEvent(event), schemaversion: 99 },
      withoutId,
    ])
      expect(isValid?.(wrong)).to.equal(false);
  });

  it('exist for every version of every event type', () => {
    const expected = TYPES.flatMap((type) =>
      Array.from({ length: SCHEMA_VERSIONS[type] }, (_, index) => `${type}.v${index + 1}.json`),
    );
    const published = readdirSync(join(REPOSITORY, EVENT_FOLDER)).filter((name) => name.endsWith('.json'));
    expect(published).to.have.members(['asyncapi.json', ...expected]);
  });
});

/** Enrichment fails for a memory with this timestamp. */
const NEW_YEAR = '2000-01-01T00:00:00Z';

function failingForNewYear(engines: Engines): Engines {
  const newestWithin: Engines['graph']['newestWithin'] = async (request) => {
    if (request.windows.some(({ end }) => end.startsWith('1999-12-31T23:59:59')))
      throw new TypeError('The test made this fail');
    return engines.graph.newestWithin(request);
  };
  return { ...engines, graph: { ...engines.graph, newestWithin } };
}

/** Memories and associations with every optional property, written by every command. */
async function sendEveryCommand(service: Service): Promise<void> {
  const { request, settled } = service;
  const times = {
    timestamp: '2024-01-01T08:00:00Z',
    t_valid: '2024-01-01T00:00:00Z',
    t_invalid: '2030-01-01T00:00:00.5Z',
  };
  const store = async (body: object): Promise<string> =>
    (await request('POST', '/memory', { body })).body.memory_id as string;
  const [one, two, three] = [
    await store({
      content: 'The kitten only eats tuna',
      tags: ['home:pets', 'x'],
      importance: 0.8,
      type: 'Insight',
      metadata: { nested: { list: [1, null, 'a'] } },
      ...times,
    }),
    await store({
      content: 'A memory with its own vector',
      embedding: Array.from({ length: 384 }, (_, index) => (index === 0 ? 1 : 0)),
    }),
    await store({ content: 'Words. '.repeat(120) }),
  ];
  await request('POST', '/memory/batch', {
    body: { memories: [{ content: 'In a batch' }, { content: 'With it', tags: ['gone'] }] },
  });
  const admin = { headers: { 'X-Admin-Token': ADMIN_TOKEN } };
  const agent = { ...admin, body: { name: 'agent', scopes: ['memories:read'], expires_at: '2100-01-01T00:00:00Z' } };
  const { id: key } = (await request('POST', '/admin/keys', agent)).body.key;
  await request('POST', `/admin/keys/${key}/rotate`, admin);
  await request('DELETE', `/admin/keys/${key}`, admin);
  await request('PATCH', `/memory/${one}`, {
    body: { content: 'The kitten eats salmon too', t_invalid: null, tags: [] },
    headers: { 'user-agent': 'a test' },
  });
  await request('POST', '/associate', {
    body: { memory1_id: one, memory2_id: two, type: 'PREFERS_OVER', strength: 0.9, reason: 'taste', context: 'home' },
  });
  await request('POST', '/associate', {
    body: {
      associations: [
        { memory1_id: one, memory2_id: two, type: 'PREFERS_OVER' },
        { memory1_id: two, memory2_id: three, type: 'REINFORCES', observations: 3 },
      ],
    },
  });
  await store({ content: 'Its enrichment fails', timestamp: NEW_YEAR });
  await settled();
  await request('POST', '/enrichment/reprocess', {
    body: { ids: [one, two] },
    headers: { 'x-admin-token': ADMIN_TOKEN },
  });
  await settled();
  await consolidate(service);
  await request('DELETE', `/memory/${three}`);
  await request('DELETE', '/memory/by-tag?tags=gone');
}

/** A cluster, a memory that is archived and restored, and a merged entity. */
async function consolidate({ request, settled }: Service): Promise<void> {
  const headers = { 'x-admin-token': ADMIN_TOKEN };
  const times = { timestamp: '2020-01-01T00:00:00Z', last_accessed: '2020-01-01T00:00:00Z' };
  const old = await request('POST', '/memory', { body: { content: 'Long ago', importance: 0.1, ...times } });
  const embedding = Array.from({ length: 384 }, (_, index) => (index === 1 ? 1 : 0));
  for (let number = 0; number < 5; number++)
    await request('POST', '/memory', {
      body: {
        content: `The boiler failed, report ${number}`,
        type: 'Context',
        embedding,
        tags: [`entity:tools:t${number}`],
      },
    });
  await settled();
  const { status, body } = await request('POST', '/consolidate', { body: { dry_run: false } });
  expect(status, JSON.stringify(body)).to.equal(200);
  await request('POST', `/admin/memories/${old.body.memory_id}/restore`, { headers });
  await request('POST', '/entity/t1/merge', { headers, body: { merge_into: 't2' } });
  await settled();
}
