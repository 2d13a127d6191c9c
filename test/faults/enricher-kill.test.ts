/** SIGKILL of the enricher at every step of its work, one after another over the same memories: each state is enriched once, and no change is lost. */
import { expect } from 'chai';
import { join } from 'node:path';
import { openDatabase } from '../../shared/sqlite/open-database.js';
import { read, store } from '../service/memory-fixtures.js';
import { startChild } from '../support/child-process.js';
import { createWordHashEmbedder } from '../support/embedding.js';
import type { EnricherStep } from '../support/enricher-steps.js';
import { startEmbedded, type Service } from '../support/service.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const DIMENSION = 64;
const MEMORIES = 24;
const BATCH = 4;
const VARIABLES = {
  PROJECTOR_BATCH_EVENTS: String(BATCH),
  VECTOR_SIZE: String(DIMENSION),
  EMBEDDING_PROVIDER: 'bundled',
};

/** `passed`: how often it gets past the step. `done`: batches whose memories are enriched afterwards, each kill having begun where the last one left off. */
const KILLS: readonly {
  readonly step: EnricherStep;
  readonly passed: number;
  readonly done: number;
  readonly when: string;
}[] = [
  { step: 'handed over', passed: 0, done: 0, when: 'before it reads anything' },
  { step: 'sent', passed: 0, done: 0, when: 'before the pattern that it saw is recorded' },
  { step: 'recorded', passed: 0, done: 0, when: 'after the pattern was recorded and before anything exemplifies it' },
  { step: 'reading', passed: BATCH + 1, done: 1, when: 'in the middle of reading for its second batch' },
  { step: 'sent', passed: 0, done: 1, when: 'after it read and before its command is recorded' },
  { step: 'recorded', passed: 0, done: 2, when: 'after its command was recorded and before it has the answer' },
  { step: 'answered', passed: 0, done: 3, when: 'after the answer and before the checkpoint' },
];

describe('an enricher killed at every step', function () {
  this.timeout(30_000);
  let folder: TempFolder;
  let service: Service | undefined;
  let ids: readonly string[];

  before(async () => {
    folder = await createTempFolder();
    ids = await storeUnheard();
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

  /** Ids of memories that are stored and indexed, of which the enricher has heard nothing yet. */
  async function storeUnheard(): Promise<readonly string[]> {
    const deaf = await start({ enriches: false });
    const stored: string[] = [];
    for (let number = 0; number < MEMORIES; number += 1)
      stored.push(await store(deaf, { content: `Marianne Keller wrote part ${number} of the report` }));
    await until(
      'all are indexed',
      async () => (await deaf.engines.vectors.versions(stored as never[])).size === MEMORIES,
    );
    await deaf.close();
    service = undefined;
    return stored;
  }

  for (const { step, passed, done, when } of KILLS) {
    it(`has done each batch whole or not at all when it dies ${when}`, async () => {
      const doomed = startChild({
        main: 'test/support/doomed-enricher.js',
        folder: folder.path,
        variables: { ...VARIABLES, DOOMED_AT: step, DOOMED_AFTER: String(passed) },
      });
      expect(await doomed.ended, doomed.output()).to.equal('SIGKILL');
      const types = journalledTypes(folder.path);
      const enriched = ids.filter((id) => types.get(id)?.join() === 'memory.stored,memory.enriched');
      const untouched = ids.filter((id) => types.get(id)?.join() === 'memory.stored');
      expect([enriched.length, untouched.length]).to.deep.equal([done * BATCH, MEMORIES - done * BATCH]);
    });
  }

  it('makes up for all of it in its next life, in which memories change at once: every state is enriched once, and every change stands', async () => {
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
    for (const [subject, types] of journalledTypes(folder.path)) {
      if (!ids.includes(subject)) continue;
      expect(types.at(-1)).to.equal('memory.enriched');
      for (const [index, type] of types.entries())
        if (type === 'memory.enriched') expect(types[index - 1], types.join()).to.not.equal(type);
    }
  });
});

/** By subject, in the order of versions, which have no hole. */
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
