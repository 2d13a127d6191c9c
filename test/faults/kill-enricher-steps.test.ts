/**
 * Kills the enricher (SIGKILL) at each of its steps in turn, over the same memories: each state is enriched once, and
 * no change is lost.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../shared/engines/sqlite/threads/open-database.js';
import { read, store } from '../service/memories/memory-fixtures.js';
import { createWordHashEmbedder } from '../support/adapters/word-hash-embedder.js';
import { differencesOfService } from '../support/checks/compare-deployment.js';
import { until } from '../support/checks/until.js';
import type { EnricherStep } from '../support/faults/crashing-enricher.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { startChild } from '../support/processes/child-process.js';
import { type Service, startEmbedded } from '../support/processes/service.js';

const DIMENSION = 64;
const MEMORIES = 24;
const BATCH = 4;
const VARIABLES = {
  VECTOR_SIZE: String(DIMENSION),
  EMBEDDING_PROVIDER: 'bundled',
};

/**
 * `passed`: how often the process passes the step before the kill. `done`: the number of enriched batches afterwards;
 * each kill continues from the last.
 */
const KILLS: readonly {
  readonly step: EnricherStep;
  readonly passed: number;
  readonly done: number;
  readonly when: string;
}[] = [
  { step: 'handed over', passed: 0, done: 0, when: 'before it reads' },
  { step: 'sent', passed: 0, done: 0, when: 'before it records a pattern' },
  { step: 'recorded', passed: 0, done: 0, when: 'after it records a pattern' },
  { step: 'reading', passed: BATCH + 1, done: 1, when: 'while it reads the second batch' },
  { step: 'sent', passed: 0, done: 1, when: 'before it records its command' },
  { step: 'recorded', passed: 0, done: 2, when: 'before it receives the reply' },
  { step: 'answered', passed: 0, done: 3, when: 'before its checkpoint' },
];

describe('the enricher', () => {
  let folder: TempFolder;
  let service: Service | undefined;
  let ids: readonly string[];

  before(async () => {
    folder = await createTempFolder();
    ids = await storeWithoutEnricher();
  });
  after(async () => {
    await service?.close();
    await folder.remove();
  });

  const start = async ({ enriches }: { readonly enriches: boolean }): Promise<Service> =>
    (service = await startEmbedded({
      dataFolder: folder.path,
      variables: VARIABLES,
      embedder: createWordHashEmbedder(DIMENSION),
      enriches,
    }));

  /** Stores and indexes the memories while no enricher runs. Resolves with their ids. */
  async function storeWithoutEnricher(): Promise<readonly string[]> {
    const withoutEnricher = await start({ enriches: false });
    const stored: string[] = [];
    for (let number = 0; number < MEMORIES; number += 1)
      stored.push(await store(withoutEnricher, { content: `Marianne Keller wrote part ${number} of the report` }));
    await until(
      'all memories are indexed',
      async () => (await withoutEnricher.engines.vectors.versions(stored as never[])).size === MEMORIES,
    );
    await withoutEnricher.close();
    service = undefined;
    return stored;
  }

  for (const { step, passed, done, when } of KILLS) {
    it(`leaves no partial batch when killed ${when}`, async () => {
      const child = startChild({
        main: 'test/support/faults/crashing-enricher.js',
        folder: folder.path,
        variables: { ...VARIABLES, CRASH_BATCH: String(BATCH), CRASH_AT: step, CRASH_AFTER: String(passed) },
      });
      expect(await child.ended, child.output()).to.equal('SIGKILL');
      const types = journalledTypes(folder.path);
      const enriched = ids.filter((id) => types.get(id)?.join() === 'memory.stored,memory.enriched');
      const untouched = ids.filter((id) => types.get(id)?.join() === 'memory.stored');
      expect([enriched.length, untouched.length]).to.deep.equal([done * BATCH, MEMORIES - done * BATCH]);
    });
  }

  it('enriches each state once after a restart, during concurrent updates', async () => {
    const again = await start({ enriches: true });
    const changed = ids.filter((_, index) => index % 3 === 0);
    const patches = await Promise.all(
      changed.map((id) =>
        again.request('PATCH', `/memory/${id}`, {
          body: { content: 'Tobias Brandt wrote it after all', importance: 0.9 },
        }),
      ),
    );
    expect(new Set(patches.map(({ status }) => status))).to.deep.equal(new Set([200]));
    await again.settled();
    for (const id of ids) {
      const memory = await read(again, id);
      const isChanged = changed.includes(id);
      expect(memory).to.include({ enriched: true, importance: isChanged ? 0.9 : 0.5 });
      expect(memory['metadata'])
        .to.have.nested.property('entities.people')
        .that.deep.equals([isChanged ? 'Tobias Brandt' : 'Marianne Keller']);
    }
    expect(await again.engines.deadLetters.count()).to.equal(0);
    expect(await differencesOfService(again)).to.deep.equal([]);
    for (const [subject, types] of journalledTypes(folder.path)) {
      if (!ids.includes(subject)) continue;
      expect(types.at(-1)).to.equal('memory.enriched');
      for (const [index, type] of types.entries())
        if (type === 'memory.enriched') expect(types[index - 1], types.join()).to.not.equal(type);
    }
  });
});

/** The event types by subject, in the order of versions. Expects versions without a gap. */
function journalledTypes(dataFolder: string): ReadonlyMap<string, readonly string[]> {
  const database = openDatabase(join(dataFolder, 'palimpsest.db'), { busyTimeoutMs: 1_000 });
  try {
    const types = new Map<string, string[]>();
    for (const { subject, type, version } of database.all(
      'SELECT subject, type, version FROM journal ORDER BY position',
    )) {
      const known = types.get(String(subject)) ?? [];
      expect(version, `versions of ${String(subject)}`).to.equal(known.length + 1);
      types.set(String(subject), [...known, String(type)]);
    }
    return types;
  } finally {
    database.close();
  }
}
