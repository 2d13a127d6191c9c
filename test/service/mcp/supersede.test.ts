import { expect } from 'chai';
import { createStoreMemoryTool } from '../../../deploy/mcp/tools/store-memory.js';
import { callTool, type ToolOptions } from '../../support/clients/call-tool.js';
import { type FailingProxy, openFailingProxy, type ProxyFailure } from '../../support/faults/failing-proxy.js';
import { startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID, idsByTag, read, type Service, store } from '../memories/memory-fixtures.js';

type Relation = {
  readonly type: string;
  readonly direction: string;
  readonly strength: number;
  readonly memory: { readonly id: string };
};

describe('store_memory superseding', () => {
  const tool = createStoreMemoryTool();
  let service: Service;
  let proxy: FailingProxy;
  let tag: string;
  let old: string;
  let count = 0;

  before(async () => {
    service = await startService();
    proxy = await openFailingProxy(service.url);
  });

  after(async () => {
    await proxy.close();
    await service.close();
  });

  beforeEach(async () => {
    count += 1;
    tag = `supersede-${count}`;
    old = await store(service, { metadata: { kept: [1] } });
    proxy.failWhen(() => null);
  });

  const storeArguments = (more: object = {}) => ({
    content: 'Deploys go by hand',
    type: 'Decision',
    tags: [tag],
    metadata: { b: 1, a: 2 },
    supersedes_memory_id: old,
    ...more,
  });
  const call = (input: object = storeArguments(), options: ToolOptions = {}) =>
    callTool(tool, input, proxy.url, { retryDelaysMs: [], ...options });
  const breakAt = (route: string, breakage: ProxyFailure) =>
    proxy.failWhen((passed) => (passed.route === route ? breakage : null));

  /** Checks the complete result of superseding, after any failure in between. */
  async function expectSuperseded(reason?: string, relation = 'INVALIDATED_BY'): Promise<string> {
    const ids = await idsByTag(service, tag);
    expect(ids).to.have.length(1);
    const [successor = ''] = ids;
    const { metadata, t_invalid, relations } = await read(service, old);
    expect(metadata).to.deep.include({
      kept: [1],
      deprecated: true,
      superseded_by: successor,
      supersede_relation: relation,
    });
    expect((metadata as Record<string, unknown>)['supersede_reason']).to.equal(reason);
    expect(Date.parse(t_invalid as string)).to.be.at.most(Date.now());
    const outgoing = (relations as readonly Relation[]).map(({ type, direction, strength, memory }) => [
      type,
      direction,
      strength,
      memory.id,
    ]);
    expect(outgoing).to.deep.equal([[relation, 'outgoing', 0.9, successor]]);
    return successor;
  }

  it('stores the new, marks the old, associates both', async () => {
    const called = await call(
      storeArguments({ supersede_relation: 'evolved_into', supersede_reason: 'the pipeline is gone' }),
    );
    const recalled = await service.request(
      'GET',
      `/recall?query=Deploys&limit=50&consistent_with=${called.fields.position}`,
    );

    const successor = await expectSuperseded('the pipeline is gone', 'EVOLVED_INTO');
    expect(called.fields).to.include({
      memory_id: successor,
      superseded_memory_id: old,
      old_memory_updated: true,
      association_created: true,
    });
    expect(recalled.body.results.map(({ id }: { readonly id: string }) => id))
      .to.include(successor)
      .and.not.include(old);
    expect(called.fullText)
      .to.match(/^Memory stored successfully!\nMemory ID: /u)
      .and.include(`Superseded memory: ${old} (EVOLVED_INTO)`);
    expect(called.progress.map(({ done, total }) => `${done}/${total}`)).to.deep.equal(['1/4', '2/4', '3/4', '4/4']);
  });

  it('writes nothing for an unknown or invalid old id', async () => {
    for (const [id, reason] of [
      [ABSENT_MEMORY_ID, /Nothing was written/u],
      ['no-id', /supersedes_memory_id must be a valid UUID/u],
      ['..', /valid UUID/u],
    ] as const) {
      const called = await call(storeArguments({ supersedes_memory_id: id }));
      expect([called.isError, called.fullText]).to.satisfy(
        ([isError, text]: [boolean, string]) => isError && reason.test(text),
      );
    }
    expect(await idsByTag(service, tag)).to.deep.equal([]);
  });

  const steps: readonly (readonly [string, readonly [string, RegExp], readonly [string, RegExp]])[] = [
    [
      'POST /memory',
      ['not stored', /not known whether the new memory is stored/u],
      ['answer lost', /not known whether the new memory is stored/u],
    ],
    [
      'PATCH /memory/:id',
      ['not marked', /the new memory \S+ is stored; it is not known whether the old memory/u],
      ['answer lost', /not known whether the old memory/u],
    ],
    [
      'POST /associate',
      ['not associated', /is marked as superseded; it is not known whether they are associated/u],
      ['answer lost', /not known whether they are associated/u],
    ],
  ];
  for (const [route, ...ways] of steps) {
    for (const [index, [what, message]] of ways.entries()) {
      it(`continues a repeat after ${route} failed (${what})`, async () => {
        breakAt(route, index === 0 ? 'unheard' : 'unanswered');
        const broken = await call();
        expect(broken.isError).to.equal(true);
        expect(broken.fullText)
          .to.match(/^Error: Broken /u)
          .and.match(message)
          .and.include('same arguments: it goes on from here and stores no second memory');

        proxy.failWhen(() => null);
        const again = await call(storeArguments({ metadata: { a: 2, b: 1 } }));

        const successor = await expectSuperseded();
        expect(again.fields).to.include({ memory_id: successor, association_created: true });
        if (broken.fields.memory_id !== undefined) expect(broken.fields.memory_id).to.equal(successor);
      });
    }
  }

  it('writes nothing if the old memory cannot be read', async () => {
    breakAt('GET /memory/:id', 'unheard');

    const broken = await call();

    expect(broken.fields).to.deep.equal({
      error: 'supersede_incomplete',
      message: 'Broken before',
      superseded_memory_id: old,
      old_memory_updated: false,
      association_created: false,
    });
    expect(broken.fullText).to.include('Nothing was written.').and.not.include('goes on');
    expect(await idsByTag(service, tag)).to.deep.equal([]);
  });

  it('changes nothing when repeated after its end', async () => {
    await call();
    const before = await read(service, old);
    const passed = proxy.requests.length;

    await call();

    expect((await read(service, old)).updated_at).to.equal(before.updated_at);
    expect(proxy.requests.slice(passed).map(({ route }) => route)).to.deep.equal(['GET /memory/:id', 'POST /memory']);
    await expectSuperseded();
  });

  it('keeps a concurrent change by another client', async () => {
    let changes = 0;
    proxy.failWhen(async ({ route }) => {
      if (route === 'PATCH /memory/:id' && changes < 2) {
        changes += 1;
        await service.request('PATCH', `/memory/${old}`, {
          body: { metadata: { kept: [1], theirs: changes }, importance: 0.8 },
        });
      }
      return null;
    });

    await call();

    await expectSuperseded();
    expect(await read(service, old)).to.deep.include({ importance: 0.8 });
    expect((await read(service, old))['metadata']).to.include({ theirs: 2 });
  });

  it('stops with the done steps after repeated conflicts', async () => {
    let importance = 0;
    proxy.failWhen(async ({ route }) => {
      importance += 0.01;
      if (route === 'PATCH /memory/:id') await service.request('PATCH', `/memory/${old}`, { body: { importance } });
      return null;
    });

    const called = await call();

    expect(called.fields).to.include({ old_memory_updated: false, association_created: false });
    expect(called.fullText)
      .to.match(/changed by another client/u)
      .and.include(`the old memory ${old} is unchanged`);
  });

  it('stops between steps when cancelled and reports done steps', async () => {
    const caller = new AbortController();

    const called = await call(storeArguments(), {
      signal: caller.signal,
      onProgress: ({ done }) => {
        if (done === 2) caller.abort();
      },
    });

    expect(called.fields).to.include({
      memory_id: (await idsByTag(service, tag))[0],
      old_memory_updated: false,
      association_created: false,
    });
    await call();
    await expectSuperseded();
  });

  it('keeps t_invalid in the past and names a former successor', async () => {
    await service.request('PATCH', `/memory/${old}`, {
      body: { t_invalid: '2020-01-01T00:00:00Z', metadata: { superseded_by: ABSENT_MEMORY_ID } },
    });

    const called = await call();

    expect(called.fullText).to.include(`had been superseded by ${ABSENT_MEMORY_ID} before`);
    expect((await read(service, old))['t_invalid']).to.equal('2020-01-01T00:00:00+00:00');
  });

  it('advises what to do if its new memory was deleted since', async () => {
    const { fields } = await call();
    await service.request('DELETE', `/memory/${fields.memory_id}`);

    const again = await call();

    expect(again.fullText).to.include('Nothing was written.').and.include('in other words');
  });

  it('rejects fields that would be ignored', async () => {
    const { supersedes_memory_id: _, ...plain } = storeArguments({ supersede_reason: 'x' });

    expect((await call(plain)).fullText).to.include("'supersede_reason' needs 'supersedes_memory_id'");
    expect((await call({ memories: [{ content: 'x' }], supersedes_memory_id: old })).fullText).to.include(
      "'supersedes_memory_id' cannot be given together with 'memories'",
    );
  });
});
