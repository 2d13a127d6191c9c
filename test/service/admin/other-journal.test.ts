/** A graph that does not belong to the journal: reads go on, commands are refused with words that say what happened. */
import { expect } from 'chai';
import type { MarkFinding } from '../../../shared/integrity/journal-mark/mark-findings.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

const PROBLEM = 'The journal went back in time: connect its newer copy';
const CONTENT = 'Stored before the journal went back';

describe('journal that went back', () => {
  let service: Service;
  let finding: MarkFinding = { kind: 'same', position: Infinity };
  let memoryId = '';

  before(async () => {
    service = await startService({ alter: (engines) => ({ ...engines, checkMark: async () => finding }) });
    memoryId = (await service.request('POST', '/memory', { body: { content: CONTENT } })).body.memory_id;
    await service.settled();
    finding = { kind: 'journal_went_back', problem: PROBLEM, refusesCommands: true, rebuild: null };
  });
  after(() => service.close());

  it('refuses commands with 503 and the reason; reads go on', async () => {
    await until('commands are refused', async () => {
      const { status, body } = await service.request('POST', '/memory', { body: { content: 'Late' } });
      if (status === 503) expect(body.message).to.equal(PROBLEM);
      return status === 503;
    });
    const patch = await service.request('PATCH', `/memory/${memoryId}`, { body: { importance: 1 } });
    expect(patch.status).to.equal(503);
    expect((await service.request('GET', `/memory/${memoryId}`)).body.memory.content).to.equal(CONTENT);
  });

  it('makes /readyz 503 and /health degraded', async () => {
    const ready = await service.request('GET', '/readyz');
    expect(ready.status).to.equal(503);
    expect(ready.body.message).to.equal(PROBLEM);
    const { body } = await service.request('GET', '/health');
    expect(body.status).to.equal('degraded');
    expect(body.problems).to.deep.equal([PROBLEM]);
  });

  it('shows no position in the graph', async () => {
    const { body } = await service.request('GET', '/recall?query=stored&consistent_with=1');
    expect(body.consistency).to.include({ position: 1, graph: false });
  });

  it('accepts commands again when it is the right one', async () => {
    finding = { kind: 'same', position: Infinity };
    await until('commands are accepted', async () => {
      const { status } = await service.request('POST', '/memory', { body: { content: 'Later' } });
      return status === 201;
    });
    expect((await service.request('GET', '/readyz')).status).to.equal(200);
    const { body } = await service.request('GET', '/recall?query=stored&consistent_with=1');
    expect(body.consistency).to.include({ position: 1, graph: true });
  });
});
