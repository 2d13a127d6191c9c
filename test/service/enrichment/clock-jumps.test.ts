/** The clock of the host is set back or forward by a day: nothing stops. */
import { expect } from 'chai';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';
import { positionIn } from '../../support/checks/position-in.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';
import { read, store } from '../memories/memory-fixtures.js';

const REQUEST = {
  headers: { 'idempotency-key': 'before-the-jump' },
  body: { content: 'The kettle is filled before sunrise' },
};
const DAY_MS = 24 * 60 * 60 * 1_000;

for (const [name, jumpMs] of [
  ['back', -DAY_MS],
  ['forward', DAY_MS],
] as const) {
  describe(`clock set ${name} by a day`, () => {
    let service: Service;
    let shiftMs: number;
    let first: string;

    before(async () => {
      shiftMs = 0;
      service = await startService({
        enriches: true,
        variables: { PROJECTOR_STATE_SAVE_MS: '100' },
        clock: { now: () => new Date(Date.now() + shiftMs) },
      });
      first = (await service.request('POST', '/memory', REQUEST)).body.memory_id;
      await service.settled();
      shiftMs = jumpMs;
    });
    after(() => service.close());

    it('indexes, enriches and finds memories', async () => {
      const id = await store(service, { content: 'The lighthouse was painted red' });
      await until('the memory is enriched', async () => (await read(service, id))['enriched'] === true);
      const { body } = await service.request('GET', '/recall?query=lighthouse+painted&limit=1');
      expect(body.results[0]).to.deep.include({ id });
    });

    it('reports running projectors without lag', async () => {
      const health = await until('the next heartbeats are saved', async () => {
        await service.settled();
        const { body } = await service.request('GET', '/health');
        return body.status === 'healthy' && body;
      });
      for (const [projector, progress] of Object.entries(health.projectors)) {
        expect(progress, projector).to.include({ status: 'running', lag_events: 0, lag_seconds: 0 });
      }
    });

    it('answers a read at a position that index and graph reached', async () => {
      const { headers } = await service.request('POST', '/memory', { body: { content: 'A boat came in' } });
      const position = headers.get(RECEIPT_HEADER);
      const { body } = await service.request('GET', `/recall?query=boat&consistent_with=${position}`);
      expect(body.consistency).to.deep.include({ position: positionIn(position), index: true, graph: true });
    });

    if (jumpMs < 0) {
      it('answers a repeated request with its first memory', async () => {
        const { status, body } = await service.request('POST', '/memory', REQUEST);
        expect([status, body.memory_id]).to.deep.equal([201, first]);
      });
    }
  });
}
