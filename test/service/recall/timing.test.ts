/** The stages of a recall: the same words in the README, the folders, the Server-Timing header and the metric. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { STAGE_PARTS, STAGES } from '../../../query-api/recall/stage-times.js';
import { NO_METRICS } from '../../../shared/kernel/metrics/metrics.js';
import { REPOSITORY } from '../../support/checks/source-files.js';
import { type Service, startService } from '../../support/processes/service.js';

describe('Server-Timing of a recall', () => {
  const measured = new Set<string>();
  let service: Service;
  before(async () => {
    service = await startService({
      metrics: {
        ...NO_METRICS,
        observe: (name, labels) => {
          if (name === 'palimpsest_recall_stage_duration_seconds') measured.add(String(Object.values(labels)[0]));
        },
      },
    });
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

  it('names the stages of the folders, the README and the metric', async () => {
    const shown = await stagesOf('/recall?query=redis');
    const parts: readonly string[] = [...STAGE_PARTS, 'total'];
    expect(shown.filter((name) => !parts.includes(name))).to.deep.equal([...STAGES]);
    expect(shown).to.include.members(['encode', 'relate', 'total']);
    expect([...measured]).to.have.members(shown.filter((name) => name !== 'total'));
    const entries = await readdir(join(REPOSITORY, 'query-api/recall'), { withFileTypes: true });
    expect(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)).to.have.members([...STAGES]);
    const readme = await readFile(join(REPOSITORY, 'README.md'), 'utf8');
    const listed = [...readme.matchAll(/^\d+\. \[(\w+)\]\(query-api\/recall\/(\w+)\/\)/gmu)];
    expect(listed.map(([, name]) => name)).to.deep.equal([...STAGES]);
    expect(listed.map(([, , folder]) => folder)).to.deep.equal([...STAGES]);
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
