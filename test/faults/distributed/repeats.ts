/** What clients do after an answer that they lost: the same request again, with a key and without, through any command API. */
import { expect } from 'chai';
import { killServer, startServer } from '../../support/local-servers.js';
import { until } from '../../support/until.js';
import { everythingHolds, type Stage } from './stage.js';

const RETRY_STATUS: readonly number[] = [502, 503, 504];

export function repeats(stage: () => Stage): void {
  for (const [name, headers] of [['with its Idempotency-Key', { 'idempotency-key': 'a-lost-answer' }], ['without a key', {}]] as const) {
    it(`has one effect when a request is repeated ${name} after a 503`, async function () {
      this.timeout(180_000);
      const { fleet } = stage();
      const content = `Said twice ${name}`;
      const body = { content, tags: ['said-twice', name.replaceAll(' ', '-')], type: 'Context' };
      await killServer('neo4j');
      const first = await fleet.request('POST', '/memory', { body, headers });
      expect(RETRY_STATUS).to.include(first.status);
      await startServer('neo4j');
      const again = await until('the repeated request is taken', async () => {
        const answer = await fleet.request('POST', '/memory', { body, headers });
        return RETRY_STATUS.includes(answer.status) ? null : answer;
      }, 60_000);
      expect(again.status).to.equal(201);
      const found = await fleet.request('GET', `/memory/by-tag?tags=${name.replaceAll(' ', '-')}`);
      expect(found.body.memories.map(({ id }: { id: string }) => id)).to.deep.equal([again.body.memory_id]);
      await everythingHolds(stage());
    });
  }

  it('gives the first answer again through the other command API', async () => {
    const { fleet } = stage();
    const [one, other] = fleet.members('command-api');
    const request = {
      method: 'POST', body: JSON.stringify({ content: 'One answer, two doors', tags: ['doors'], type: 'Context' }),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'two-doors' },
    };
    const answers = await Promise.all([one, other, one, other].map(async (member) => {
      const answer = await fetch(`${member?.url}/memory`, request);
      return { status: answer.status, id: ((await answer.json()) as { memory_id: string }).memory_id };
    }));
    expect(new Set(answers.map(({ id }) => id)).size, JSON.stringify(answers)).to.equal(1);
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201]);
  });
}
