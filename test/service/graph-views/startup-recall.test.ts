/** GET /startup-recall: lessons and rules by their tags. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

describe('GET /startup-recall', () => {
  let service: Service;
  before(async () => (service = await startService()));
  after(() => service.close());

  const store = (content: string, tags: readonly string[], importance: number, more: object = {}) =>
    service.request('POST', '/memory', { body: { content, tags, importance, ...more } });
  const read = async () => (await service.request('GET', '/startup-recall')).body;

  it('answers an empty service', async () => {
    expect(await read()).to.deep.equal({
      status: 'success',
      critical_lessons: [],
      system_rules: [],
      lesson_count: 0,
      has_critical: false,
      summary: 'Recalled 0 lesson(s) and 0 system rule(s)',
    });
  });

  it('lists lessons by importance and rules, whatever their state', async () => {
    await store('an expired lesson', ['lesson', 'db'], 0.6, { t_invalid: '2020-01-01', metadata: { source: 'x' } });
    await store('a critical point', ['critical'], 0.8);
    await store('not a lesson', ['lesson/postgres', 'LESSON', 'System'], 1);
    await store('a rule', ['system'], 0.2);
    const body = await read();
    expect(body.critical_lessons.map(({ content }: { content: string }) => content)).to.deep.equal([
      'a critical point',
      'an expired lesson',
    ]);
    expect(body.critical_lessons[1]).to.include.keys('id', 'tags', 'importance', 'type', 'metadata');
    expect(body.system_rules.map(({ content }: { content: string }) => content)).to.deep.equal(['a rule']);
    expect(body).to.include({ lesson_count: 2, has_critical: false });
  });

  it('reports ten lessons and five rules at most', async () => {
    for (let at = 0; at < 11; at += 1) await store(`lesson ${at}`, ['ai-assistant', 'memory-recall'], 0.9);
    const body = await read();
    expect(body.summary).to.equal('Recalled 10 lesson(s) and 5 system rule(s)');
    expect(body.has_critical).to.equal(true);
  });
});
