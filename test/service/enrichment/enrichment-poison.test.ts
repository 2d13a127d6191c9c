/**
 * A memory whose enrichment fails permanently, as operators see it: it has a dead letter, and a redrive enriches it
 * later.
 */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';
import { read, store } from '../memories/memory-fixtures.js';

const ADMIN = 'admin-token-of-the-tests';
const MAX_ATTEMPTS = 4;
const POISON_TIMESTAMP = '1999-12-31T12:00:00Z';
/** The end of the enricher's search for the predecessors of that memory. */
const BEFORE_POISON = '1999-12-31T11:59:59';

describe('memory whose enrichment fails', () => {
  let service: Service;
  let isPoisonous: boolean;
  let tries: number;
  let bad: string;
  let later: string;

  before(async () => {
    isPoisonous = true;
    tries = 0;
    service = await startService({
      enriches: true,
      variables: {
        ADMIN_API_TOKEN: ADMIN,
        ENRICHMENT_MAX_ATTEMPTS: String(MAX_ATTEMPTS),
        ENRICHMENT_FAILURE_BACKOFF_SECONDS: '0',
      },
      alter: (engines) => ({
        ...engines,
        graph: {
          ...engines.graph,
          newestWithin: async (request) => {
            const isAmong = request.windows.some(({ end }) => end.startsWith(BEFORE_POISON));
            if (!isPoisonous || !isAmong) return engines.graph.newestWithin(request);
            tries += 1;
            throw new TypeError('no such thing');
          },
        },
      }),
    });
    bad = await store(service, { timestamp: POISON_TIMESTAMP, tags: ['bad'] });
    await service.settled();
    later = await store(service, { tags: ['later'] });
    await service.settled();
  });
  after(() => service.close());

  const admin = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { headers: { 'x-admin-token': ADMIN }, ...(body === undefined ? {} : { body }) });
  const letters = async () => (await admin('GET', '/admin/dead-letters?projector=enricher')).body.dead_letters;
  const failures = (): Promise<readonly RecordedEvent[]> =>
    service.engines.journal.read({ after: 0, limit: 100, types: ['memory.enrichment.failed'] });

  it('gets a dead letter after ENRICHMENT_MAX_ATTEMPTS attempts', async () => {
    expect(tries).to.equal(MAX_ATTEMPTS);
    const [letter, ...others] = await letters();
    expect(others).to.deep.equal([]);
    expect(letter).to.include({
      projector: 'enricher',
      subject: bad,
      type: 'memory.stored',
      version: 1,
      reason: 'Unexpected TypeError: see the log of the process',
      attempts: MAX_ATTEMPTS,
      awaits_redrive: false,
    });
    const [stored] = await service.engines.journal.read({ after: 0, limit: 1, subject: bad });
    expect([letter.event_id, letter.position]).to.deep.equal([stored?.id, stored?.position]);
  });

  it('gets one failure event and stays unchanged', async () => {
    const [failed, ...others] = await failures();
    expect(others).to.deep.equal([]);
    expect(failed?.subject).to.equal(bad);
    expect(failed?.data).to.deep.include({
      attempts: MAX_ATTEMPTS,
      error: 'Unexpected TypeError: see the log of the process',
    });
    const memory = await read(service, bad);
    expect(memory).to.deep.include({ enriched: false, tags: ['bad'], metadata: {} });
    const relations = memory.relations as readonly { readonly direction: string }[];
    expect(relations.filter(({ direction }) => direction === 'outgoing')).to.deep.equal([]);
    expect(memory).to.not.have.any.keys('summary', 'enriched_at');
  });

  it('does not delay later memories', async () => {
    expect(await read(service, later)).to.include({ enriched: true });
  });

  it('gets a dead letter with all attempts when a redrive fails', async () => {
    const [{ id }] = await letters();
    expect((await admin('POST', '/admin/dead-letters/redrive', { ids: [id] })).body).to.include({
      status: 'queued',
      count: 1,
    });
    const letter = await until('the redrive has failed', async () => {
      const [one] = await letters();
      return one?.attempts > MAX_ATTEMPTS && one;
    });
    expect(letter).to.include({ subject: bad, attempts: 2 * MAX_ATTEMPTS, awaits_redrive: false });
    expect(tries).to.equal(2 * MAX_ATTEMPTS);
    expect(await failures()).to.have.length(2);
  });

  it('is enriched by a later redrive, which resolves the letter', async () => {
    isPoisonous = false;
    const answer = await admin('POST', '/admin/dead-letters/redrive', { projector: 'enricher' });
    expect(answer.body).to.include({ status: 'queued', count: 1 }).and.deep.include({ superseded: [] });
    await until('the letter is resolved', async () => (await letters()).length === 0);
    await service.settled();
    expect(await read(service, bad)).to.include({ enriched: true, processed: true });
    expect((await service.request('GET', '/enrichment/status')).body).to.include({ queue_size: 0 });
    const events = await service.engines.journal.read({ after: 0, limit: 100, subject: bad });
    expect(events.map(({ type }) => type)).to.deep.equal([
      'memory.stored',
      'memory.enrichment.failed',
      'memory.enrichment.failed',
      'memory.enriched',
    ]);
  });
});
