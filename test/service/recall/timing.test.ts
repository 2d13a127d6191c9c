/** The Server-Timing header of a recall. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

describe('Server-Timing of a recall', () => {
  let service: Service;
  before(async () => {
    service = await startService();
    await service.request('POST', '/memory', { body: { content: 'Redis caches the sessions', tags: ['cache'] } });
    await service.settled();
  });
  after(() => service.close());

  async function stagesOf(path: string): Promise<readonly string[]> {
    const { headers } = await service.request('GET', path);
    const entries = (headers.get('server-timing') ?? '').split(', ');
    for (const entry of entries) expect(entry).to.match(/^[a-z]+;dur=\d+(\.\d+)?$/u);
    return entries.map((entry) => entry.split(';')[0] ?? '');
  }

  it('names the stages that ran', async () => {
    expect(await stagesOf('/recall?query=redis')).to.include.members([
      'encode',
      'retrieve',
      'hydrate',
      'score',
      'relate',
      'total',
    ]);
  });

  it('leaves out stages that did not run', async () => {
    expect(await stagesOf('/recall?tags=cache'))
      .to.include('retrieve')
      .and.not.include('encode');
  });

  it('is exposed to browsers of other origins', async () => {
    const { headers } = await service.request('GET', '/recall', { headers: { origin: 'http://localhost:3000' } });
    expect(headers.get('access-control-expose-headers')).to.include('Server-Timing');
  });
});
