/**
 * An outage of the embedding provider, one hour on the clock of the service: no vector is invented, health shows the
 * lag, and all work is made up.
 */
import { expect } from 'chai';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';
import { type EmbeddingServer, healthyReply, startEmbeddingServer } from '../../support/servers/embedding-server.js';
import { read, store } from '../memories/memory-fixtures.js';

const DIMENSION = 64;
const BEGIN = Date.parse('2024-06-10T08:00:00Z');
const QUARTER_MINUTES = 15;
const QUARTERS = 4;
const STORED_A_QUARTER = 5;
/** The lag is by the clock of the journal: in one process the clock of the service, else the clock of Postgres. */
const HAS_ONE_CLOCK = process.env['PALIMPSEST_TEST_ENGINES'] !== 'real';

describe('embedding outage of one hour', () => {
  let provider: EmbeddingServer;
  let service: Service;
  let isAway: boolean;
  let minute: number;
  const known: string[] = [];
  const unknown: string[] = [];

  before(async () => {
    [isAway, minute] = [false, 0];
    const answer = healthyReply(DIMENSION);
    provider = await startEmbeddingServer(async (asked) => (isAway ? { status: 503 } : answer(asked)));
    service = await startService({
      enriches: true,
      variables: {
        EMBEDDING_PROVIDER: 'openai',
        OPENAI_BASE_URL: provider.url,
        OPENAI_API_KEY: 'key-of-the-tests',
        EMBEDDING_MODEL: 'of-the-tests',
        VECTOR_SIZE: String(DIMENSION),
        PROJECTOR_STATE_SAVE_MS: '100',
      },
      clock: { now: () => new Date(BEGIN + minute * 60_000) },
    });
  });
  after(async () => {
    await service?.close();
    await provider?.close();
  });

  const health = async () => (await service.request('GET', '/health')).body;
  const pointsOf = (ids: readonly string[]) => service.engines.vectors.versions(ids as readonly MemoryId[]);
  const eventsSince = async (position: number) =>
    (await service.engines.journal.read({ after: position, limit: 500 })).map(({ type }) => type);
  /** Advances the clock of the service and waits for the next heartbeat of the indexer. */
  async function elapse(minutes: number): Promise<number> {
    minute += minutes;
    const { lag_seconds: seconds } = await until('the indexer sends a heartbeat', async () => {
      const { projectors } = await health();
      return projectors['vector-indexer'].status === 'running' && projectors['vector-indexer'];
    });
    return seconds;
  }

  it('accepts stores and shows the growing lag in health', async () => {
    known.push(await store(service, { content: 'The kettle is filled before sunrise' }));
    await service.settled();
    expect((await health()).projectors['vector-indexer']).to.include({ lag_events: 0, lag_seconds: 0 });
    isAway = true;
    const lags: number[] = [];
    for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
      for (let count = 0; count < STORED_A_QUARTER; count += 1)
        unknown.push(
          await store(service, { content: `Note ${unknown.length} of the outage, about lighthouse ${unknown.length}` }),
        );
      lags.push(await elapse(QUARTER_MINUTES));
    }
    expect(lags).to.deep.equal(
      HAS_ONE_CLOCK ? [900, 1_800, 2_700, 3_600] : [...lags].sort((one, other) => one - other),
    );
    expect(lags.at(-1)).to.be.greaterThan(0);
    expect((await health()).in_flight).to.be.at.least(unknown.length);
  });

  it('adds no points without vectors', async () => {
    const asked = provider.requests.length;
    await until('the provider received another request', () => provider.requests.length > asked);
    expect((await pointsOf(unknown)).size).to.equal(0);
    expect([...(await pointsOf(known)).keys()]).to.deep.equal(known);
    expect((await health()).vector_count).to.equal(known.length);
  });

  it('makes enrichment wait, without failures', async () => {
    for (const id of [unknown[0] ?? '', unknown.at(-1) ?? '']) {
      expect(await read(service, id)).to.deep.include({ enriched: false, tags: [], metadata: {}, relations: [] });
    }
    const { body } = await service.request('GET', '/enrichment/status');
    expect(body).to.include({ status: 'running', pending: unknown.length });
    expect(body.stats).to.include({ failures: 0, successes: known.length });
    expect(await service.engines.deadLetters.count()).to.equal(0);
    expect(new Set((await eventsSince(0)).filter((type) => type !== 'memory.stored'))).to.deep.equal(
      new Set(['memory.enriched']),
    );
    expect((await eventsSince(0)).filter((type) => type === 'memory.enriched')).to.have.length(known.length);
  });

  it('leaves recall by keywords available', async () => {
    const { status, body } = await service.request('GET', '/recall?query=lighthouse+7&limit=3');
    expect(status).to.equal(200);
    expect(body.results.map(({ id }: { id: string }) => id)).to.include(unknown[7]);
    expect(body.degraded).to.have.length(1);
  });

  it('indexes and enriches every memory when it ends', async () => {
    isAway = false;
    await until('every memory is indexed and enriched', async () => {
      const { in_flight: inFlight, enrichment, projectors } = await health();
      return inFlight === 0 && enrichment.pending === 0 && projectors.enricher.lag_events === 0;
    });
    await service.settled();
    expect((await pointsOf(unknown)).size).to.equal(unknown.length);
    const { projectors, dead_letters: letters, status } = await health();
    expect(projectors['vector-indexer']).to.include({ lag_events: 0, lag_seconds: 0 });
    expect([letters, status]).to.deep.equal([0, 'healthy']);
    for (const id of unknown) expect(await read(service, id)).to.include({ enriched: true });
    const { body } = await service.request(
      'GET',
      '/recall?query=Note+7+of+the+outage,+about+lighthouse+7&limit=1&explain=true',
    );
    expect(body.results[0]).to.deep.include({ id: unknown[7] });
    expect(body.results[0].explain.features.similarity).to.be.greaterThan(0.99);
  });
});
