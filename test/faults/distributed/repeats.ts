/** What clients do after an answer that they lost: the same request again, with a key and without, through any command API. */
import { expect } from 'chai';
import { killServer, startServer } from '../../support/local-servers.js';
import { until } from '../../support/until.js';
import { everythingHolds, type Stage } from './stage.js';

const RETRY_STATUS: readonly number[] = [502, 503, 504];
const ASKED = [
  { how: 'with its Idempotency-Key', tag: 'said-with-a-key', headers: { 'idempotency-key': 'a-lost-answer' } },
  { how: 'without a key', tag: 'said-without-a-key', headers: {} },
] as const;

export function repeats(stage: () => Stage): void {
  describe('after a 503', () => {
    const store = ({ how, tag, headers }: (typeof ASKED)[number]) =>
      stage().fleet.request('POST', '/memory', {
        body: { content: `Said twice ${how}`, tags: [tag], type: 'Context' },
        headers,
      });

    before(async function () {
      this.timeout(180_000);
      await killServer('neo4j');
      for (const asked of ASKED) expect(RETRY_STATUS).to.include((await store(asked)).status);
      await startServer('neo4j');
    });
    after(async function () {
      this.timeout(180_000);
      await everythingHolds(stage());
    });

    for (const asked of ASKED) {
      it(`has one effect when a request is repeated ${asked.how}`, async function () {
        this.timeout(120_000);
        const again = await until(
          'the repeated request is taken',
          async () => {
            const answer = await store(asked);
            return RETRY_STATUS.includes(answer.status) ? null : answer;
          },
          60_000,
        );
        expect(again.status).to.equal(201);
        const found = await stage().fleet.request('GET', `/memory/by-tag?tags=${asked.tag}`);
        expect(found.body.memories.map(({ id }: { id: string }) => id)).to.deep.equal([again.body.memory_id]);
      });
    }
  });

  it('gives the first answer again through the other command API', async () => {
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
