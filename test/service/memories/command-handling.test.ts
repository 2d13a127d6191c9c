import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createCommandHandling } from '../../../command-api/command-handling.js';
import {
  type CommandRunner,
  createCommandRunner,
  type Identity,
  MAX_ATTEMPTS,
} from '../../../command-api/command-runner.js';
import { NOTHING_CHANGES } from '../../../command-api/decision.js';
import { decideStore } from '../../../command-api/memories/decide-store.js';
import { createDeleteByTag } from '../../../command-api/memories/delete-memories.js';
import { decideUpdate } from '../../../command-api/memories/update-memory.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { createSqliteCommitter } from '../../../shared/engines/sqlite/commit/sqlite-committer.js';
import { createSqliteGraphReader } from '../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { commitMigrations } from '../../../shared/engines/sqlite/schema/commit.js';
import { graphMigrations } from '../../../shared/engines/sqlite/schema/graph.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import { embeddingCacheMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import { randomIds, systemClock } from '../../../shared/kernel/clock.js';
import { ConflictError, RuleError } from '../../../shared/kernel/errors.js';
import type { Committer } from '../../../shared/ports/committer.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import { openTemporaryHost, type TemporaryHost } from '../../support/adapters/sqlite.js';
import { context, draft, facts, memoryId, reading } from '../../unit/command-api/fixtures.js';

const NO_IDENTITY: Identity = { key: null, fingerprint: null };
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const keyed = (key: string, body = 'body'): Identity => ({
  key: { key: hashOf(key), requestHash: hashOf(body) },
  fingerprint: null,
});

describe('command runner', () => {
  let temporary: TemporaryHost;
  let committer: Committer;
  let graph: GraphReader;
  let run: CommandRunner;

  beforeEach(async () => {
    temporary = await openTemporaryHost([
      journalMigrations,
      commitMigrations,
      graphMigrations,
      embeddingCacheMigrations,
    ]);
    const { host } = temporary;
    committer = createSqliteCommitter({ host, clock: systemClock, publisher: { append: () => Promise.resolve() } });
    graph = createSqliteGraphReader({ host });
    run = createCommandRunner({ committer, ids: randomIds });
  });

  afterEach(() => temporary.remove());

  const newFacts = (events = 1) => facts({ eventIds: Array.from({ length: events }, () => randomIds.uuid()) });
  const load = async (id: MemoryId) => (await graph.memories([id]))[0];

  function store(id: MemoryId, identity = NO_IDENTITY, tags: readonly string[] = []) {
    return run(identity, {
      load: () => Promise.resolve(null),
      decide: () => decideStore(reading(), draft({ tags }), { ...newFacts(), memoryIds: [id] }),
    });
  }

  function setImportance(
    id: MemoryId,
    importance: number,
    meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  ) {
    return run(NO_IDENTITY, {
      load: async () => {
        const loaded = await load(id);
        await meanwhile();
        return loaded;
      },
      decide: (loaded) => decideUpdate(loaded, { importance }, { ...newFacts(), ifMatch: null }),
    });
  }

  it('loads and decides again after a conflict', async () => {
    await store(memoryId(1));
    let others = 0;

    await setImportance(memoryId(1), 0.9, async () => {
      if (others++ < MAX_ATTEMPTS - 1)
        await run(NO_IDENTITY, {
          load: () => load(memoryId(1)),
          decide: (loaded) => decideUpdate(loaded, { confidence: others / 10 }, { ...newFacts(), ifMatch: null }),
        });
    });

    const changed = await load(memoryId(1));
    expect(changed?.version).to.equal(1 + MAX_ATTEMPTS);
    expect(changed?.memory).to.include({ importance: 0.9, confidence: 0.4 });
  });

  it('fails with a ConflictError after the last attempt', async () => {
    await store(memoryId(1));

    const refused = await setImportance(memoryId(1), 0.9, () => setImportance(memoryId(1), 0.1)).catch(
      (error: unknown) => error,
    );

    expect(refused).to.be.instanceOf(ConflictError).with.property('retryAfterSeconds', 1);
    expect((await load(memoryId(1)))?.memory.importance).to.equal(0.1);
  });

  it('returns what a key committed, without a new decision', async () => {
    const first = await store(memoryId(1), keyed('one'));
    const second = await store(memoryId(2), keyed('one'));

    expect(second.events).to.deep.equal(first.events);
    expect([second.state, second.commandId]).to.deep.equal([undefined, null]);
    expect(await load(memoryId(2))).to.equal(undefined);
  });

  it('refuses a key of another request', async () => {
    await store(memoryId(1), keyed('one'));

    expect(await store(memoryId(2), keyed('one', 'other')).catch((error: unknown) => error)).to.be.instanceOf(
      RuleError,
    );
  });

  it('commits nothing and keeps no key when nothing changes', async () => {
    const nothing = await run(keyed('one'), { load: () => Promise.resolve('state'), decide: () => NOTHING_CHANGES });

    expect(nothing).to.deep.equal({ events: [], state: 'state', commandId: null });
    expect((await store(memoryId(1), keyed('one', 'other'))).events).to.have.length(1);
  });

  describe('answering', () => {
    type Ending = 'answered' | 'client gone' | 'error';
    async function request(id: MemoryId, ending: Ending): Promise<number> {
      const commands = createCommandHandling({ committer, clock: systemClock, ids: randomIds, keyWaitMs: 1_000 });
      const caller = new AbortController();
      const reply = await commands
        .handle(context({ fingerprint: hashOf('equal'), signal: caller.signal }), {
          load: () => Promise.resolve(null),
          decide: () => decideStore(reading(), draft(), { ...newFacts(), memoryIds: [id] }),
          answer: () => (ending === 'error' ? Promise.reject(new Error('broken')) : { status: 201, body: null }),
        })
        .catch((error: Error) => error.message);
      if (ending === 'answered' && typeof reply === 'object') reply.onSent?.();
      caller.abort(); // the signal aborts after every request
      return (await graph.memories([memoryId(1), memoryId(2)])).length;
    }

    for (const [ending, left] of [
      ['answered', 2],
      ['client gone', 1],
      ['error', 1],
    ] as const) {
      it(`treats an equal request as ${left === 1 ? 'a repeat' : 'a new one'} after: ${ending}`, async () => {
        expect(await request(memoryId(1), ending)).to.equal(1);
        expect(await request(memoryId(2), 'answered')).to.equal(left);
      });
    }
  });

  describe('deleting by tag', () => {
    const request = {
      params: {},
      body: undefined,
      query: { tags: ['bulk'] },
      context: context({ commandKey: hashOf('bulk'), requestHash: hashOf('request') }),
    };
    let commands: ReturnType<typeof createCommandHandling>;
    let rounds: number;

    beforeEach(async () => {
      commands = createCommandHandling({ committer, clock: systemClock, ids: randomIds, keyWaitMs: 1_000 });
      rounds = 0;
      const ids = Array.from({ length: 450 }, (_, index) => memoryId(index + 1));
      await Promise.all(ids.map((id) => store(id, NO_IDENTITY, ['bulk'])));
    });

    /** The graph, which fails in the given round. */
    function failingAt(round: number): Pick<GraphReader, 'memories' | 'idsByTag'> {
      return {
        idsByTag: (asked) => graph.idsByTag(asked),
        memories: (ids) => (++rounds === round ? Promise.reject(new Error('broken')) : graph.memories(ids)),
      };
    }

    const left = async () => (await graph.idsByTag({ tags: ['bulk'], after: '', limit: 1_000 })).length;

    it('continues after the committed rounds and counts them', async () => {
      const broken = await createDeleteByTag({ commands, graph: failingAt(2) })(request).catch(
        (error: Error) => error.message,
      );
      const leftBehind = await left();

      const { body } = await createDeleteByTag({ commands, graph })(request);

      expect(broken).to.equal('broken');
      expect(leftBehind).to.equal(250);
      expect(body).to.include({ deleted_count: 450 });
      expect(await left()).to.equal(0);
    });

    it('repeats a complete answer and keeps newer memories', async () => {
      const first = await createDeleteByTag({ commands, graph })(request);
      await store(memoryId(999), NO_IDENTITY, ['bulk']);

      const second = await createDeleteByTag({ commands, graph })(request);

      expect(second.body).to.deep.equal(first.body);
      expect(await left()).to.equal(1);
    });

    it('keeps a memory that lost the tag after the search', async () => {
      const untag = async (ids: readonly MemoryId[]) => {
        const loaded = await graph.memories(ids);
        if (rounds++ === 0)
          await run(NO_IDENTITY, {
            load: () => load(memoryId(7)),
            decide: (one) =>
              decideUpdate(one, { tags: ['kept'], tag_prefixes: ['kept'] }, { ...newFacts(), ifMatch: null }),
          });
        return loaded;
      };

      const { body } = await createDeleteByTag({
        commands,
        graph: { idsByTag: (asked) => graph.idsByTag(asked), memories: untag },
      })(request);

      expect(body).to.include({ deleted_count: 449 });
      expect((await load(memoryId(7)))?.memory.tags).to.deep.equal(['kept']);
    });
  });
});
