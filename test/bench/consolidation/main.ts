/**
 * `npm run bench:consolidation`: measures a full consolidation, a second one that has nothing to do, the recalls of one
 * client meanwhile, and the routes of entities. The memories have random vectors, ages and importances, three tags of
 * entities and some associations.
 */
import { numberedId } from '../../support/fixtures/events.js';
import { corpusQuestion } from '../corpus/corpus.js';
import { importMemories } from '../corpus/fill.js';
import { runJob } from '../measuring/background.js';
import { runBench } from '../measuring/run-bench.js';
import { type Row, timeCalls, timeDuring, timingRow } from '../measuring/timing.js';

const BATCH = 500;
const ENTITIES = 2_000;
const OLDEST_DAYS = 400;
const CALLS = 50;
const ROUTES = [
  '/entities',
  '/entities?limit=500',
  '/entity/person-7',
  '/entities/merge-candidates',
  '/entities/audit?summary=1',
];

await runBench({
  defaults: { memories: '10000', associations: '1', recalls: '200' },
  variables: { PROJECTORS: 'vector-indexer,access-recorder,consolidator', JOB_WAIT_MS: '0' },
  measure: async (target, { memories, associations, recalls }, random) => {
    const size = Number(memories);
    const recall = () => target.call('GET', `/recall?query=${encodeURIComponent(corpusQuestion(random))}`);
    const more = () => {
      const at = new Date(Date.now() - random.next() * OLDEST_DAYS * 86_400_000).toISOString();
      const tags = Array.from({ length: 3 }, () => `entity:people:person-${random.below(ENTITIES)}`);
      return { timestamp: at, last_accessed: at, importance: random.next(), tags };
    };
    await importMemories(target, random, { size, more });
    await timeCalls((size * Number(associations)) / BATCH, 1, () => {
      const pairs = Array.from({ length: BATCH }, () => {
        const one = random.below(size);
        const other = (one + 1 + random.below(size - 1)) % size;
        return { memory1_id: numberedId(one), memory2_id: numberedId(other), type: 'RELATES_TO', strength: 0.5 };
      });
      return target.call('POST', '/associate', { associations: pairs });
    });
    await timeCalls(20, 1, recall); // the first recalls plan and fill caches
    const rows: Row[] = [timingRow('recall before, 1 client', await timeCalls(Number(recalls), 1, recall))];
    for (const path of ROUTES) {
      const call = () => target.call('GET', path);
      await call(); // plans of statements are made once
      rows.push(timingRow(`GET ${path}`, await timeCalls(CALLS, 1, call)));
    }
    for (const which of ['first', 'second']) {
      const consolidate = () => runJob<ConsolidationJob>(target, { path: '/consolidate', body: { dry_run: false } });
      const { result, seconds, timing } = await timeDuring(consolidate, 1, recall);
      const { changed } = result.progress.steps.decay;
      const what = `${which} consolidation, ${changed} relevances written`;
      rows.push({ what, figure: `${seconds.toFixed(1)} s` }, timingRow('recall during it, 1 client', timing));
    }
    return rows;
  },
});

type ConsolidationJob = {
  readonly id: string;
  readonly error: string | null;
  readonly finished_at: string | null;
  readonly progress: { readonly steps: { readonly decay: { readonly changed: number } } };
};
