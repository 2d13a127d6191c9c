/**
 * Every route of the contract answers: one well-formed request each. A missing one fails, whether nothing routes it or
 * its method. What a route answers is the subject of its own tests.
 */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

const TOKEN = 'token-of-the-api';
const ADMIN_TOKEN = 'token-of-the-administrator';

type Stored = { readonly one: string; readonly two: string; readonly unwanted: string };
type Route = readonly [
  /** As the contract lists it. */
  name: string,
  /** The statuses of a well-formed request. */
  statuses: readonly number[],
  request: (stored: Stored) => { readonly path?: string; readonly body?: unknown },
];

/** The routes of the contract in its order. `GET /entity/:slug` and the merge name entities that do not exist. */
const ROUTES: readonly Route[] = [
  ['GET /health', [200], () => ({})],
  ['POST /memory', [201], () => ({ body: { content: 'We deploy on Tuesdays' } })],
  ['POST /memory/batch', [201], () => ({ body: { memories: [{ content: 'We build with Buildkite' }] } })],
  ['GET /memory/:id', [200], ({ one }) => ({ path: `/memory/${one}` })],
  ['PATCH /memory/:id', [200], ({ one }) => ({ path: `/memory/${one}`, body: { importance: 0.9 } })],
  ['DELETE /memory/:id', [200], ({ unwanted }) => ({ path: `/memory/${unwanted}` })],
  ['GET /memory/by-tag', [200], () => ({ path: '/memory/by-tag?tags=deploys' })],
  ['DELETE /memory/by-tag', [200], () => ({ path: '/memory/by-tag?tags=unwanted' })],
  [
    'POST /associate',
    [201],
    ({ one, two }) => ({ body: { memory1_id: one, memory2_id: two, type: 'LEADS_TO', strength: 0.9 } }),
  ],
  ['GET /recall', [200], () => ({ path: '/recall?query=deploys' })],
  ['GET /startup-recall', [200], () => ({})],
  ['GET /analyze', [200], () => ({})],
  ['GET /memories/:id/related', [200], ({ one }) => ({ path: `/memories/${one}/related?max_depth=2` })],
  ['POST /admin/reembed', [200, 202], () => ({ body: { batch_size: 10, limit: 1 } })],
  ['POST /admin/sync', [200], () => ({ body: { dry_run: true } })],
  ['GET /backup', [200], () => ({ path: '/backup?include=falkordb,qdrant' })],
  ['POST /consolidate', [200, 202], () => ({ body: { mode: 'decay', dry_run: true } })],
  ['GET /consolidate/status', [200], () => ({})],
  ['GET /enrichment/status', [200], () => ({})],
  ['POST /enrichment/reprocess', [202], ({ one }) => ({ body: { ids: [one] } })],
  ['GET /graph/snapshot', [200], () => ({ path: '/graph/snapshot?limit=10' })],
  ['GET /graph/neighbors/:id', [200], ({ one }) => ({ path: `/graph/neighbors/${one}?depth=2` })],
  ['GET /graph/stats', [200], () => ({})],
  ['GET /graph/types', [200], () => ({})],
  ['GET /graph/relations', [200], () => ({})],
  // Without GRAPH_VIEWER_URL they lead to the console.
  ['GET /viewer/', [302], () => ({})],
  ['GET /viewer/:path', [302], () => ({ path: '/viewer/assets/index.js' })],
  ['GET /stream', [200], () => ({})],
  ['GET /stream/status', [200], () => ({})],
  ['GET /entities', [200], () => ({ path: '/entities?limit=10' })],
  ['GET /entities/audit', [200], () => ({ path: '/entities/audit?summary=true' })],
  ['GET /entities/merge-candidates', [200], () => ({})],
  ['GET /entity/:slug', [404], () => ({ path: '/entity/nobody' })],
  ['POST /entity/:slug/merge', [404], () => ({ path: '/entity/nobody/merge', body: { merge_into: 'no-one' } })],
];

/** The message for a path without a route. The other 404 names what does not exist. */
const UNKNOWN_ROUTE = /requested URL was not found/u;

describe('the routes of the contract', () => {
  let service: Service;
  let stored: Stored;
  before(async () => {
    service = await startService({
      enriches: true,
      variables: { SERVICE_API_TOKEN: TOKEN, ADMIN_API_TOKEN: ADMIN_TOKEN },
    });
    const [one = '', two = '', unwanted = ''] = await Promise.all(
      ['deploys', 'builds', 'unwanted'].map(async (tag) => {
        const body = { content: `About ${tag}`, tags: [tag] };
        return ((await (await send('POST', '/memory', body)).json()) as { memory_id: string }).memory_id;
      }),
    );
    stored = { one, two, unwanted };
  });
  after(() => service.close());

  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'x-admin-token': ADMIN_TOKEN,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  for (const [name, statuses, request] of ROUTES) {
    it(`answer ${name}`, async () => {
      const [method = '', template = ''] = name.split(' ');
      const { path = template, body } = request(stored);
      const answer = await send(method, path, body);
      // The live stream has no end.
      if (name === 'GET /stream') await answer.body?.cancel();
      const text = answer.bodyUsed ? '' : await answer.text();
      expect(text.slice(0, MESSAGE_CHARACTERS), `${name} has no route`).to.not.match(UNKNOWN_ROUTE);
      expect(statuses, text.slice(0, MESSAGE_CHARACTERS)).to.include(answer.status);
    });
  }

  it('have a message of their own for a path that does not exist', async () => {
    const answer = await send('GET', '/graph/nothing');
    expect([answer.status, UNKNOWN_ROUTE.test(await answer.text())]).to.deep.equal([404, true]);
  });
});

/** Enough of an answer for the message of a failed test. */
const MESSAGE_CHARACTERS = 300;
