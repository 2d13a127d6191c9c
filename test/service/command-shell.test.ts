import { expect } from 'chai';
import { createHash } from 'node:crypto';
import {
  ATTEMPTS,
  createCommandRunner,
  type CommandRunner,
  type Identity,
} from '../../command-api/create-command-runner.js';
import { NOTHING_CHANGES } from '../../command-api/decision.js';
import { createCommandHandling } from '../../command-api/handle.js';
import { createDeleteByTag } from '../../command-api/memories/delete-by-tag.js';
import { decideStore } from '../../command-api/memories/decide-store.js';
import { decideUpdate } from '../../command-api/memories/decide-update.js';
import { commitMigrations } from '../../shared/commit/sqlite/migrations.js';
import { createSqliteCommitter } from '../../shared/commit/sqlite/create-sqlite-committer.js';
import type { Committer } from '../../shared/commit/committer.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { embeddingCacheMigrations } from '../../shared/embedding/sqlite/migrations.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import { createSqliteGraphReader } from '../../shared/graph/sqlite/create-sqlite-graph-reader.js';
import { graphMigrations } from '../../shared/graph/sqlite/migrations.js';
import { journalMigrations } from '../../shared/journal/sqlite/migrations.js';
import { randomIds, systemClock } from '../../shared/kernel/clock.js';
import { ConflictError, RuleError } from '../../shared/kernel/errors.js';
import { openTemporaryHost, type TemporaryHost } from '../support/sqlite.js';
import { context, draft, facts, memoryId, reading } from '../unit/command-api/fixtures.js';

const NOBODY: Identity = { key: null, fingerprint: null };
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const keyed = (key: string, body = 'body'): Identity => ({
  key: { key: hashOf(key), requestHash: hashOf(body) },
  fingerprint: null,
});

describe('the shell around decisions', () => {
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

  const freshFacts = (events = 1) => facts({ eventIds: Array.from({ length: events }, () => randomIds.uuid()) });
  const load = async (id: MemoryId) => (await graph.memories([id]))[0];

  function store(id: MemoryId, identity = NOBODY, tags: readonly string[] = []) {
    return run(identity, {
      load: () => Promise.resolve(null),
      decide: () => decideStore(reading(), draft({ tags }), { ...freshFacts(), memoryIds: [id] }),
    });
  }

  function setImportance(
    id: MemoryId,
    importance: number,
    meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  ) {
    return run(NOBODY, {
      load: async () => {
        const loaded = await load(id);
        await meanwhile();
        return loaded;
      },
      decide: (loaded) => decideUpdate(loaded, { importance }, { ...freshFacts(), ifMatch: null }),
    });
  }

  it('loads and decides again when somebody else was faster', async () => {
    await store(memoryId(1));
    let others = 0;

    await setImportance(memoryId(1), 0.9, async () => {
      if (others++ < ATTEMPTS - 1)
        await run(NOBODY, {
          load: () => load(memoryId(1)),
          decide: (loaded) => decideUpdate(loaded, { confidence: others / 10 }, { ...freshFacts(), ifMatch: null }),
        });
    });

    const changed = await load(memoryId(1));
    expect(changed?.version).to.equal(1 + ATTEMPTS);
    expect(changed?.memory).to.include({ importance: 0.9, confidence: 0.4 });
  });

  it('gives up after so many conflicts and says so', async () => {
    await store(memoryId(1));

    const refused = await setImportance(memoryId(1), 0.9, () => setImportance(memoryId(1), 0.1)).catch(
      (error: unknown) => error,
    );

    expect(refused).to.be.instanceOf(ConflictError).with.property('retryAfterSeconds', 1);
    expect((await load(memoryId(1)))?.memory.importance).to.equal(0.1);
  });

  it('finds what a key committed, without deciding again', async () => {
    const first = await store(memoryId(1), keyed('one'));
    const second = await store(memoryId(2), keyed('one'));

    expect(second.events).to.deep.equal(first.events);
    expect([second.state, second.commandId]).to.deep.equal([undefined, null]);
    expect(await load(memoryId(2))).to.equal(undefined);
  });

  it('refuses a key that came with another request', async () => {
    await store(memoryId(1), keyed('one'));

    expect(await store(memoryId(2), keyed('one', 'other')).catch((error: unknown) => error)).to.be.instanceOf(
      RuleError,
    );
  });

  it('commits nothing and remembers nothing where nothing changes', async () => {
    const nothing = await run(keyed('one'), { load: () => Promise.resolve('state'), decide: () => NOTHING_CHANGES });

    expect(nothing).to.deep.equal({ events: [], state: 'state', commandId: null });
    expect((await store(memoryId(1), keyed('one', 'other'))).events).to.have.length(1);
  });

  describe('answering', () => {
    type Ending = 'heard' | 'hung up' | 'an error';
    async function request(id: MemoryId, ending: Ending): Promise<number> {
      const commands = createCommandHandling({ committer, clock: systemClock, ids: randomIds, keyWaitMs: 1_000 });
      const hangUp = new AbortController();
      const reply = await commands
        .handle(context({ fingerprint: hashOf('equal'), signal: hangUp.signal }), {
          load: () => Promise.resolve(null),
          decide: () => decideStore(reading(), draft(), { ...freshFacts(), memoryIds: [id] }),
          answer: () => (ending === 'an error' ? Promise.reject(new Error('broken')) : { status: 201, body: null }),
        })
        .catch((error: Error) => error.message);
      if (ending === 'heard' && typeof reply === 'object') reply.onSent?.();
      hangUp.abort(); // however a request ended
      return (await graph.memories([memoryId(1), memoryId(2)])).length;
    }

    for (const [ending, left] of [
      ['heard', 2],
      ['hung up', 1],
      ['an error', 1],
    ] as const) {
      it(`${left === 1 ? 'takes an equal request for the same one' : 'decides an equal request by itself'} where the end was: ${ending}`, async () => {
        expect(await request(memoryId(1), ending)).to.equal(1);
        expect(await request(memoryId(2), 'heard')).to.equal(left);
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
      await Promise.all(ids.map((id) => store(id, NOBODY, ['bulk'])));
    });

    /** The graph as it is, until it goes away at the given round. */
    function failingAt(round: number): Pick<GraphReader, 'memories' | 'idsByTag'> {
      return {
        idsByTag: (asked) => graph.idsByTag(asked),
        memories: (ids) => (++rounds === round ? Promise.reject(new Error('broken')) : graph.memories(ids)),
      };
    }

    const left = async () => (await graph.idsByTag({ tags: ['bulk'], after: '', limit: 1_000 })).length;

    it('goes on behind the rounds that were committed when it is repeated, and counts them', async () => {
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

    it('repeats its answer when it was complete, and leaves what came since', async () => {
      const first = await createDeleteByTag({ commands, graph })(request);
      await store(memoryId(999), NOBODY, ['bulk']);

      const second = await createDeleteByTag({ commands, graph })(request);

      expect(second.body).to.deep.equal(first.body);
      expect(await left()).to.equal(1);
    });

    it('leaves a memory that lost the tag between being found and being deleted', async () => {
      const untag = async (ids: readonly MemoryId[]) => {
        const loaded = await graph.memories(ids);
        if (rounds++ === 0)
          await run(NOBODY, {
            load: () => load(memoryId(7)),
            decide: (one) =>
              decideUpdate(one, { tags: ['kept'], tag_prefixes: ['kept'] }, { ...freshFacts(), ifMatch: null }),
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
