import { expect } from 'chai';
import { createRecordAccess, type RecordAccess } from '../../../command-api/receive-commands.js';
import { createCommandSender } from '../../../shared/client/command-sender.js';
import { BATCH_LIMIT } from '../../../shared/contract/limits.js';
import { openApiDocument } from '../../../shared/http/openapi/openapi-document.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { rejection } from '../../support/checks/rejection.js';
import { createHttpCaller } from '../../support/clients/http-caller.js';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';
import { startService } from '../../support/processes/service.js';
import { memoryId } from '../../unit/command-api/fixtures.js';

const INTERNAL = 'a-token-between-processes';
const API = 'a-token-of-the-api';
const AT = '2024-06-01T10:00:00+00:00';

function openWith(internal: string | null, recordAccess: RecordAccess = () => Promise.resolve()): Promise<Edge> {
  return openEdge({
    handlers: { recordAccess: createRecordAccess({ recordAccess }) },
    tokens: { api: [{ name: null, token: API }], admin: null, internal },
  });
}

describe('internal operation', () => {
  let edge: Edge;
  let accessed: { readonly ids: readonly string[]; readonly at: string }[];
  beforeEach(async () => {
    accessed = [];
    edge = await openWith(INTERNAL, async (ids, at) => void accessed.push({ ids, at }));
  });
  afterEach(() => edge.close());

  const body = { ids: [memoryId(1)], at: AT };
  const post = (sent: unknown, headers: Record<string, string> = { 'x-internal-token': INTERNAL }) =>
    edge.post('/internal/access', sent, headers);

  it('accepts the internal token alone', async () => {
    expect((await post(body)).status).to.equal(200);
    expect(accessed).to.deep.equal([{ ids: [memoryId(1)], at: AT }]);
  });

  const refused: readonly (readonly [string, Record<string, string>])[] = [
    ['no token', {}],
    ['the API token', { 'x-api-key': API }],
    ['the API token as its own', { 'x-internal-token': API }],
    ['the beginning of its token', { 'x-internal-token': INTERNAL.slice(0, -1) }],
    ['its token as a Bearer', { authorization: `Bearer ${INTERNAL}` }],
  ];
  for (const [title, headers] of refused) {
    it(`refuses ${title}`, async () => {
      const response = await post(body, headers);
      expect(response.status).to.equal(401);
      expect(await response.json()).to.include({
        message: 'Internal authorization required: send INTERNAL_API_TOKEN as X-Internal-Token',
      });
      expect(accessed).to.be.empty;
    });
  }

  it('grants no other operation with its token', async () =>
    expect((await edge.get('/recall', { 'x-internal-token': INTERNAL })).status).to.equal(401));

  it('answers 403 without INTERNAL_API_TOKEN and names the variable', async () => {
    const closed = await openWith(null);
    const response = await closed.post('/internal/access', body, { 'x-internal-token': INTERNAL });
    await closed.close();
    expect(response.status).to.equal(403);
    expect(((await response.json()) as { message: string }).message).to.contain('set INTERNAL_API_TOKEN');
  });

  const many = (count: number) => Array.from({ length: count }, (_, index) => memoryId(index));
  for (const [title, sent] of [
    ['no ids', { ids: [], at: AT }],
    ['more ids than a batch holds', { ids: many(BATCH_LIMIT + 1), at: AT }],
    ['a text that is not an id', { ids: ['nonsense'], at: AT }],
    ['a text that is not a time', { ids: [memoryId(1)], at: 'yesterday' }],
  ] as const) {
    it(`refuses ${title}`, async () => expect((await post(sent)).status).to.equal(400));
  }

  it('accepts as many ids as a batch', async () => {
    expect((await post({ ids: many(BATCH_LIMIT), at: AT })).status).to.equal(200);
    expect(accessed[0]?.ids).to.have.lengthOf(BATCH_LIMIT);
  });

  it('is not in the OpenAPI document, and neither is its token', () => {
    const document = JSON.stringify(openApiDocument({ version: '1' })).toLowerCase();
    for (const word of ['/internal', 'internal-token', 'internaltoken']) expect(document).to.not.contain(word);
  });

  it('is not served by the embedded composition', async () => {
    const service = await startService({ variables: { INTERNAL_API_TOKEN: INTERNAL } });
    const { status } = await createHttpCaller(service.url).request('POST', '/internal/access', {
      body,
      headers: { 'x-internal-token': INTERNAL },
    });
    await service.close();
    expect(status).to.equal(404);
  });

  it('accepts the requests of the command sender', async () => {
    await createCommandSender({ urls: [edge.url], token: INTERNAL }).recordAccess([memoryId(1), memoryId(2)], AT);
    expect(accessed).to.deep.equal([{ ids: [memoryId(1), memoryId(2)], at: AT }]);
  });
});

describe('command sender', () => {
  it('reports what to do when its token is refused', async () => {
    const edge = await openWith(INTERNAL);
    const error = await rejection(
      createCommandSender({ urls: [edge.url], token: 'another' }).recordAccess([memoryId(1)], AT),
    );
    await edge.close();
    expect(error).to.be.instanceOf(DependencyError).and.to.include({ dependency: 'commands', isRetryable: true });
    expect(String(error)).to.contain('answered 401: Internal authorization required: send INTERNAL_API_TOKEN');
  });

  it('switches to the next instance after a failure and stays with it', async () => {
    const [gone, edge] = [await openWith(INTERNAL), await openWith(INTERNAL)];
    await gone.close();
    const sender = createCommandSender({ urls: [gone.url, edge.url], token: INTERNAL });
    await sender.recordAccess([memoryId(1)], AT);
    await sender.recordAccess([memoryId(2)], AT);
    await edge.close();
    const error = await rejection(sender.recordAccess([memoryId(3)], AT));
    expect(String(error)).to.contain(gone.url).and.to.contain(edge.url);
  });

  it('fails without a listening instance and after the timeout', async () => {
    const edge = await openWith(INTERNAL, () => new Promise(() => undefined));
    const slow = await rejection(
      createCommandSender({ urls: [edge.url], token: INTERNAL, timeoutMs: 20 }).recordAccess([memoryId(1)], AT),
    );
    await edge.close();
    expect(slow).to.be.instanceOf(DependencyError);
    expect(String(slow)).to.contain('did not answer in time');
    const gone = await rejection(
      createCommandSender({ urls: [edge.url], token: INTERNAL }).recordAccess([memoryId(1)], AT),
    );
    expect(String(gone)).to.contain(`The service at ${edge.url} cannot be reached`);
  });
});
