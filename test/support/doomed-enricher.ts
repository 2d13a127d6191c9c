/**
 * The embedded service, nobody asking it for anything, which kills itself at one step of its enricher: DOOMED_AT names it, DOOMED_AFTER
 * how often the step passes first. Its engines stand in the working folder.
 */
import { composeService, type Engines } from '../../deploy/embedded/compose-service.js';
import { embeddedConfig } from '../../deploy/embedded/config.js';
import { openEngines } from '../../deploy/embedded/open-engines.js';
import { createSqliteCommitter } from '../../shared/commit/sqlite/create-sqlite-committer.js';
import { ENRICHER } from '../../shared/contract/projector-names.js';
import { randomIds, systemClock } from '../../shared/kernel/clock.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { createResources } from '../../shared/kernel/resources.js';
import type { EventSource } from '../../shared/stream/stream.js';
import { createWordHashEmbedder } from './embedding.js';
import type { EnricherStep } from './enricher-steps.js';

let left = Number(process.env['DOOMED_AFTER'] ?? 0);
let hasRecorded = false;

function reach(step: EnricherStep): void {
  if (step !== process.env['DOOMED_AT'] || left-- > 0) return;
  process.kill(process.pid, 'SIGKILL');
}

/** Without requests, searches of vectors are the enricher's. */
function watched<E extends Pick<Engines, 'stream' | 'vectors'>>(engines: E): E {
  const subscribe: EventSource['subscribe'] = (subscription) =>
    engines.stream.subscribe(
      subscription.group !== ENRICHER
        ? subscription
        : {
            ...subscription,
            handle: async (events, signal) => {
              reach('handed over');
              hasRecorded = false;
              await subscription.handle(events, signal);
              if (hasRecorded) reach('answered');
            },
          },
    );
  const search: Engines['vectors']['search'] = (request) => {
    reach('reading');
    return engines.vectors.search(request);
  };
  return {
    ...engines,
    stream: { ...engines.stream, subscribe },
    vectors: Object.assign(Object.create(engines.vectors) as Engines['vectors'], { search }),
  };
}

const config = embeddedConfig({ ...process.env, PALIMPSEST_DATA_DIR: process.cwd() }, process.cwd());
const common = { config, logger: silentLogger, clock: systemClock, ids: randomIds, resources: createResources() };
const { host, ...engines } = await openEngines({
  ...common,
  embedder: createWordHashEmbedder(Number(process.env['VECTOR_SIZE'])),
});
const committer = createSqliteCommitter({
  host,
  clock: systemClock,
  publisher: engines.stream,
  failpoints: {
    hit: (step) => {
      if (step === 'before_commit') reach('sent');
      if (step !== 'after_commit') return;
      hasRecorded = true;
      reach('recorded');
    },
  },
});
await composeService({ ...common, engines: watched(engines), committer, version: '0.0.0-test', instance: 'doomed' });
