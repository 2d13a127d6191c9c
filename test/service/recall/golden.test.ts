/**
 * Queries with one right answer among similar memories, which the recorded conversations of the benchmark lack. All
 * memories are indexed before the first query, so both words and vectors count.
 */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

type Stored = { readonly content: string; readonly [field: string]: unknown };
type Case = {
  readonly title: string;
  readonly query: string;
  readonly finds: string;
  readonly parameters?: Readonly<Record<string, string>>;
};

const at = (day: string): string => `${day}T09:00:00Z`;

const MEMORIES: readonly Stored[] = [
  { content: 'PAY-1234: refunds are sent twice when the bank times out', timestamp: at('2024-01-03') },
  { content: 'PAY-1243: the receipt shows the wrong currency', timestamp: at('2024-01-04') },
  { content: 'Commit 9f86d081 broke the session refresh', timestamp: at('2024-01-05') },
  { content: 'Commit 9f86d084 updated the copyright year', timestamp: at('2024-01-06') },
  { content: 'ERR_CONN_RESET comes from the proxy in front of the upload service', timestamp: at('2024-01-07') },
  { content: 'ERR_CONN_REFUSED means that the port of the upload service is closed', timestamp: at('2024-01-08') },
  { content: 'The retry policy is in src/net/retry-policy.ts', timestamp: at('2024-01-09') },
  { content: 'The cache policy is in src/net/cache-policy.ts', timestamp: at('2024-01-10') },
  { content: 'Node 20.11.1 leaks file handles, 20.12.0 does not', timestamp: at('2024-01-11') },
  { content: 'Node 18.19.0 is the last version that the old image takes', timestamp: at('2024-01-12') },
  { content: 'The staging database listens on port 5433', timestamp: at('2024-01-13') },
  { content: 'The production database listens on port 5432', timestamp: at('2024-01-14') },
  { content: 'parseUserName strips trailing blanks', timestamp: at('2024-01-15') },
  { content: 'Wir haben die Straßenbeleuchtung in Köln auf LED umgestellt', timestamp: at('2024-02-01') },
  { content: 'Die Rechnung für das Hotel in Köln ist bezahlt', timestamp: at('2024-02-02') },
  { content: '我们决定使用蓝绿部署', timestamp: at('2024-02-03') },
  { content: '数据库每天凌晨三点备份', timestamp: at('2024-02-04') },
  { content: 'データベースの接続プールを増やした', timestamp: at('2024-02-05') },
  { content: '会議は毎週木曜日に変更された', timestamp: at('2024-02-06') },
  { content: 'قررنا تأجيل الإطلاق إلى الخريف', timestamp: at('2024-02-07') },
  { content: 'اجتماع الفريق يوم الأحد', timestamp: at('2024-02-08') },
  { content: 'Maria is allergic to peanuts and carries an adrenaline pen', timestamp: at('2024-03-01') },
  { content: 'Peter loves peanut butter on toast', timestamp: at('2024-03-02') },
  { content: 'Never deploy the billing service on a Friday', timestamp: at('2024-03-03') },
  { content: 'Friday is the day of the team lunch', timestamp: at('2024-03-04') },
  { content: 'We do not use Kubernetes for the batch jobs', timestamp: at('2024-03-05') },
];

const CASES: readonly Case[] = [
  { title: 'a bare ticket', query: 'PAY-1234', finds: 'PAY-1234: refunds' },
  {
    title: 'a lower-case ticket in a sentence',
    query: 'what was the matter with pay-1243 again',
    finds: 'PAY-1243',
  },
  { title: 'a commit', query: 'why was 9f86d081 reverted', finds: 'Commit 9f86d081' },
  { title: 'an error code', query: 'how do I get rid of ERR_CONN_REFUSED', finds: 'ERR_CONN_REFUSED' },
  { title: 'a whole path', query: 'src/net/retry-policy.ts', finds: 'The retry policy' },
  { title: 'a file without its path', query: 'cache-policy.ts', finds: 'The cache policy' },
  { title: 'a version', query: 'is 20.11.1 safe', finds: 'Node 20.11.1' },
  { title: 'a version among versions of the same product', query: 'node 18.19.0', finds: 'Node 18.19.0' },
  { title: 'a number', query: 'what runs on 5433', finds: 'The staging database' },
  { title: 'a part of a compound name', query: 'user name blanks', finds: 'parseUserName' },
  { title: 'German words without umlauts', query: 'strassenbeleuchtung koln', finds: 'Wir haben die' },
  { title: 'German', query: 'Rechnung Hotel', finds: 'Die Rechnung' },
  { title: 'Chinese', query: '蓝绿部署', finds: '我们决定' },
  { title: 'a Chinese question', query: '数据库什么时候备份', finds: '数据库每天' },
  { title: 'Japanese', query: '接続プール', finds: 'データベース' },
  { title: 'a Japanese question', query: '会議はいつですか', finds: '会議は毎週' },
  { title: 'Arabic', query: 'متى الإطلاق', finds: 'قررنا' },
  {
    title: 'a misspelt word among correct words',
    query: 'is Maria alergic to peanuts',
    finds: 'Maria is allergic',
  },
  { title: 'a prohibition', query: 'may I deploy billing on Friday', finds: 'Never deploy' },
  { title: 'a negation', query: 'do we use kubernetes for batch jobs', finds: 'We do not use' },
  { title: 'a single word', query: 'adrenaline', finds: 'Maria is allergic' },
  {
    title: 'a very long query',
    query: `I was wondering, since nobody seems to remember and the channel has gone quiet, ${'and it really matters for the report, '.repeat(40)}where ERR_CONN_RESET comes from`,
    finds: 'ERR_CONN_RESET',
  },
  {
    title: 'a narrow window',
    query: 'policy',
    finds: 'The cache policy',
    parameters: { start: '2024-01-10', end: '2024-01-11' },
  },
];

describe('recall', () => {
  let service: Service;
  before(async () => {
    service = await startService();
    expect((await service.request('POST', '/memory/batch', { body: { memories: MEMORIES } })).status).to.equal(201);
    await service.settled();
  });
  after(() => service.close());

  async function contents(parameters: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const { status, body } = await service.request('GET', `/recall?${new URLSearchParams(parameters)}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.results.map(({ memory }: { memory: { content: string } }) => memory.content);
  }

  for (const { title, query, finds, parameters = {} } of CASES) {
    it(`finds by ${title}`, async () => {
      const [first] = await contents({ query, ...parameters });
      expect(first).to.match(new RegExp(`^${finds}`, 'u'));
    });
  }

  describe('recall of a correction', () => {
    async function store(memory: Stored): Promise<string> {
      return (await service.request('POST', '/memory', { body: { ...memory, tags: ['office'] } })).body.memory_id;
    }

    it('returns it instead of the invalidated memory', async () => {
      const stale = await store({ content: 'The office is in Hamburg', importance: 1 });
      const fresh = await store({ content: 'The office moved to Bremen', importance: 0.1 });
      await service.request('POST', '/associate', {
        body: { memory1_id: stale, memory2_id: fresh, type: 'INVALIDATED_BY', strength: 0.9 },
      });
      await service.settled();
      expect(await contents({ query: 'where is the office', tags: 'office' })).to.deep.equal([
        'The office moved to Bremen',
      ]);
      expect(await contents({ query: 'where is the office', tags: 'office', state_mode: 'history' })).to.have.length(2);
    });
  });

  describe('recall of a conversation', () => {
    const turn = (minute: number, content: string, session: string): Stored => ({
      content,
      tags: [`session:${session}`],
      timestamp: `2024-04-01T10:0${minute}:00Z`,
    });

    it('returns the answer next to the matching question', async () => {
      const memories = [
        turn(1, 'Ann: Which instrument does your daughter learn?', 'a'),
        turn(2, 'Bob: Since last spring she has played the oboe.', 'a'),
        turn(3, 'Eve: Since last spring she has gone to the harbour.', 'b'),
        turn(4, 'Dan: Good for her.', 'b'),
      ];
      await service.request('POST', '/memory/batch', { body: { memories } });
      await service.settled();
      const found = await contents({
        query: 'Which instrument does the daughter of Bob learn',
        tags: 'session',
        limit: '2',
      });
      expect(found).to.include('Bob: Since last spring she has played the oboe.');
    });
  });

  describe('recall by tag', () => {
    const tagged: readonly [tag: string, requested: string][] = [
      ['client/Acme', 'CLIENT:acme'],
      ['release 2.0', 'Release 2.0'],
      ['100%', '100%'],
      ["o'neil", "O'Neil"],
      ['a*b', 'a*b'],
      ['проект:Альфа', 'проект/альфа'],
    ];
    for (const [tag, requested] of tagged) {
      it(`finds the tag ${tag} with tags=${requested}`, async () => {
        await service.request('POST', '/memory', { body: { content: `Kept under ${tag}`, tags: [tag] } });
        expect(await contents({ tags: requested })).to.deep.equal([`Kept under ${tag}`]);
      });
    }
  });
});
