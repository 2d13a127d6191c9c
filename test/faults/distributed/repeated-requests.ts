/** Clients repeat a request after a lost answer: with or without a key, through any command API. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { killServer, startServer } from '../../support/servers/local-servers.js';
import { expectConsistentStores, type FaultSetup } from './fault-checks.js';

const RETRY_STATUS: readonly number[] = [502, 503, 504];
const REPEATS = [
  { how: 'with its Idempotency-Key', tag: 'said-with-a-key', headers: { 'idempotency-key': 'a-lost-answer' } },
  { how: 'without a key', tag: 'said-without-a-key', headers: {} },
] as const;

export function repeatedRequests(stage: () => FaultSetup): void {
  describe('after a 503', () => {
    const store = ({ how, tag, headers }: (typeof REPEATS)[number]) =>
      stage().fleet.request('POST', '/memory', {
        body: { content: `Said twice ${how}`, tags: [tag], type: 'Context' },
        headers,
      });

    before(async function () {
      this.timeout(180_000);
      await killServer('neo4j');
      for (const repeat of REPEATS) expect(RETRY_STATUS).to.include((await store(repeat)).status);
      await startServer('neo4j');
    });
    after(async function () {
      this.timeout(180_000);
      await expectConsistentStores(stage());
    });

    for (const repeat of REPEATS) {
      it(`have one effect ${repeat.how}`, async () => {
        const again = await until('the repeated request is accepted', async () => {
          const answer = await store(repeat);
          return RETRY_STATUS.includes(answer.status) ? null : answer;
        });
        expect(again.status).to.equal(201);
        const found = await stage().fleet.request('GET', `/memory/by-tag?tags=${repeat.tag}`);
        expect(found.body.memories.map(({ id }: { id: string }) => id)).to.deep.equal([again.body.memory_id]);
      });
    }
  });

  it('get the first answer again from the other command API', async () => {
    const { fleet } = stage();
    const [one, other] = fleet.members('command-api');
    const request = {
      method: 'POST',
      body: JSON.stringify({ content: 'One answer, two doors', tags: ['doors'], type: 'Context' }),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'two-doors' },
    };
    const answers = await Promise.all(
      [one, other, one, other].map(async (member) => {
        const answer = await fetch(`${member?.url}/memory`, request);
        return { status: answer.status, id: ((await answer.json()) as { memory_id: string }).memory_id };
      }),
    );
    expect(new Set(answers.map(({ id }) => id)).size, JSON.stringify(answers)).to.equal(1);
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201]);
  });
}
