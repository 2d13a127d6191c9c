/**
 * The profiles of MCP, as an agent uses them through the official client: the same tasks with both, in both revisions
 * of the protocol.
 */
import { expect } from 'chai';
import { PROFILES } from '../../../deploy/mcp/bridge-config.js';
import { callOverMcp, connectMcp, type McpClient, revisionOf, REVISIONS } from '../../support/clients/mcp.js';
import { startService } from '../../support/processes/service.js';
import { idsByTag, read, type Service } from '../memories/memory-fixtures.js';

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/u;

type Task = {
  readonly title: string;
  readonly tool: string;
  readonly input: (ids: readonly string[]) => Readonly<Record<string, unknown>>;
  readonly says: RegExp;
  /** Checks what the service holds afterwards. */
  readonly outcome?: (service: Service, ids: readonly string[]) => Promise<unknown>;
};

const LANTERN = 'Who repairs the lantern of the lighthouse';
const FACT = { content: 'Anna repairs the lantern of the lighthouse', tags: ['lighthouse'], importance: 0.7 };
const DECISION = { content: 'The lantern gets an LED lamp', tags: ['lighthouse'], type: 'Decision' };
/** `ids`: of the memories that the tasks before and this one have stored, in their order. */
const TASKS: readonly Task[] = [
  {
    title: 'store a fact',
    tool: 'store_memory',
    input: () => FACT,
    says: /stored/u,
    outcome: async (service, [first = '']) => expect(await read(service, first)).to.deep.include(FACT),
  },
  {
    title: 'store a decision',
    tool: 'store_memory',
    input: () => DECISION,
    says: /stored/u,
    outcome: async (service, [, second = '']) => expect(await read(service, second)).to.deep.include(DECISION),
  },
  {
    title: 'recall by a question',
    tool: 'recall_memory',
    input: () => ({ query: LANTERN }),
    says: /1\. Anna repairs/u,
  },
  {
    title: 'recall by a tag',
    tool: 'recall_memory',
    input: () => ({ tags: ['lighthouse'] }),
    says: /^Found 2 memories/u,
  },
  {
    title: 'recall the newest of a project',
    tool: 'recall_memory',
    input: () => ({ tags: ['lighthouse'], time_query: 'last 7 days', limit: 1 }),
    says: /^Found 1 memories/u,
  },
  {
    title: 'link a cause and its effect',
    tool: 'associate_memories',
    input: ([cause, effect]) => ({ memory1_id: cause, memory2_id: effect, type: 'LEADS_TO', strength: 0.9 }),
    says: /created/u,
    outcome: async (service, [first = '', second]) => {
      const { relations } = await read(service, first);
      expect(JSON.stringify(relations)).to.include('LEADS_TO').and.include(second);
    },
  },
  {
    title: 'read one memory whole',
    tool: 'recall_memory',
    input: ([first]) => ({ memory_id: first }),
    says: /LEADS_TO/u,
  },
  {
    title: 'correct a memory',
    tool: 'update_memory',
    input: ([, second]) => ({ memory_id: second, content: 'The lantern gets an LED lamp in May' }),
    says: /updated/u,
    outcome: async (service, [, second = '']) =>
      expect(await read(service, second)).to.deep.include({
        ...DECISION,
        content: 'The lantern gets an LED lamp in May',
      }),
  },
  {
    title: 'see the change',
    tool: 'recall_memory',
    input: () => ({ query: 'which lamp does the lantern get' }),
    says: /LED lamp in May/u,
  },
  {
    title: 'replace a fact that has changed',
    tool: 'store_memory',
    input: ([first]) => ({ content: 'Ben repairs the lantern of the lighthouse', supersedes_memory_id: first }),
    says: /supersede/iu,
    outcome: async (service, [first = '', , third]) => {
      const { t_invalid: end, relations } = await read(service, first);
      expect(end).to.be.a('string');
      expect(JSON.stringify(relations)).to.include('INVALIDATED_BY').and.include(third);
    },
  },
  {
    title: 'recall what is true now',
    tool: 'recall_memory',
    input: () => ({ query: LANTERN }),
    says: /1\. Ben repairs/u,
  },
  {
    title: 'look whether the service works',
    tool: 'check_database_health',
    input: () => ({}),
    says: /Status: healthy/u,
  },
  {
    title: 'delete what is wrong',
    tool: 'delete_memory',
    input: ([, second]) => ({ memory_id: second }),
    says: /deleted/u,
    outcome: async (service, [, second]) =>
      expect((await service.request('GET', `/memory/${second}`)).status).to.equal(404),
  },
];

for (const profile of PROFILES) {
  for (const revision of REVISIONS) {
    describe(`an agent with the ${profile} profile of MCP, in ${revision}`, () => {
      let service: Service;
      let client: McpClient;
      const ids: string[] = [];
      before(async () => {
        service = await startService();
        client = await connectMcp('http', { url: service.url, variables: { MCP_PROFILE: profile }, revision });
        expect(revisionOf(client)).to.equal(revision);
      });
      after(async () => {
        await client.close();
        await service.close();
      });

      for (const { title, tool, input, says, outcome } of TASKS) {
        it(`can ${title}`, async () => {
          const { isError, text } = await callOverMcp(client, tool, input(ids));
          expect([isError, text]).to.satisfy(([failed, words]: [boolean, string]) => !failed && says.test(words));
          if (tool === 'store_memory') ids.push(UUID.exec(text)?.[0] ?? '');
          await outcome?.(service, ids);
        });
      }
    });
  }
}

describe('compact profile of MCP', () => {
  let service: Service;
  let client: McpClient;
  before(async () => {
    service = await startService();
    client = await connectMcp('http', { url: service.url, variables: { MCP_PROFILE: 'compact' } });
  });
  after(async () => {
    await client.close();
    await service.close();
  });

  const call = (name: string, input: Readonly<Record<string, unknown>>) => callOverMcp(client, name, input);

  it('answers a recall in words and without structured content', async () => {
    await call('store_memory', { content: 'The billing team chose PostgreSQL', tags: 'billing' });
    const { text, fields } = await call('recall_memory', { query: 'which database does billing use', limit: 1 });
    expect(text).to.match(/^1\. .*PostgreSQL \[billing\]\n {3}\d+ % likely to answer; stored today \(.*\); id /mu);
    expect(fields).to.deep.equal({});
  });

  it('asks before it deletes more than ten memories by tags', async () => {
    const body = {
      memories: Array.from({ length: 11 }, (_, index) => ({ content: `Note ${index}`, tags: ['notes'] })),
    };
    await service.request('POST', '/memory/batch', { body });
    const asked = await call('delete_memory', { tags: ['notes'] });
    expect([asked.isError, asked.text]).to.deep.equal([
      true,
      "Error: 11 memories have one of the tags 'notes'. Nothing was deleted: to delete all of them, call again with confirm: true.",
    ]);
    expect(await idsByTag(service, 'notes')).to.have.lengthOf(11);
    expect((await call('delete_memory', { tags: ['notes'], confirm: true })).text).to.include('Deleted 11 memories');
  });

  it('deletes few memories, and one by its id, without a question', async () => {
    const { text } = await call('store_memory', { content: 'One note', tags: ['one'] });
    await call('store_memory', { content: 'Another note', tags: ['few'] });
    expect((await call('delete_memory', { memory_id: UUID.exec(text)?.[0] })).isError).to.equal(false);
    expect((await call('delete_memory', { tags: ['few'] })).text).to.include('Deleted 1 memory');
    expect((await call('delete_memory', { tags: [' '] })).text).to.include('must not hold a blank tag');
    expect((await call('delete_memory', {})).text).to.include('neither was given');
  });

  it('refuses an argument of the compatible profile and names it', async () => {
    const answer = await call('recall_memory', { query: 'billing', expand_relations: true });
    expect([answer.isError, answer.text]).to.satisfy(
      ([isError, text]: readonly [boolean, string]) => isError && text.includes('expand_relations'),
    );
  });
});
