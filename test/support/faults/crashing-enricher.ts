/**
 * The embedded service without HTTP requests, which kills itself at the enricher step CRASH_AT, after the step has
 * passed CRASH_AFTER times. Its projectors take CRASH_BATCH events in a batch, and its data is in the working folder.
 */
import { composeService } from '../../../deploy/embedded/compose-service.js';
import { embeddedConfig } from '../../../deploy/embedded/config.js';
import type { Engines } from '../../../deploy/embedded/engines.js';
import { openEngines } from '../../../deploy/embedded/open-engines.js';
import { ENRICHER } from '../../../shared/contract/projector-names.js';
import { createOpenRequests } from '../../../shared/http/request/open-requests.js';
import { randomIds, systemClock } from '../../../shared/kernel/clock.js';
import { createResources } from '../../../shared/kernel/concurrency/resources.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { EventSource } from '../../../shared/ports/stream.js';
import { createWordHashEmbedder } from '../adapters/word-hash-embedder.js';

/** The crash steps in their order: events received, reading, command sent, command recorded, handler returned. */
export type EnricherStep = 'handed over' | 'reading' | 'sent' | 'recorded' | 'answered';

let left = Number(process.env['CRASH_AFTER'] ?? 0);
let hasRecorded = false;

function crashAt(step: EnricherStep): void {
  if (step !== process.env['CRASH_AT'] || left-- > 0) return;
  process.kill(process.pid, 'SIGKILL');
}

/** The service receives no requests, so each vector search comes from the enricher. */
function withCrashSteps<E extends Pick<Engines, 'stream' | 'vectors'>>(engines: E): E {
  const subscribe: EventSource['subscribe'] = (subscription) =>
    engines.stream.subscribe(
      subscription.group !== ENRICHER
        ? subscription
        : {
            ...subscription,
            handle: async (events, signal) => {
              crashAt('handed over');
              hasRecorded = false;
              await subscription.handle(events, signal);
              if (hasRecorded) crashAt('answered');
            },
          },
    );
  const search: Engines['vectors']['search'] = (request) => {
    crashAt('reading');
    return engines.vectors.search(request);
  };
  return {
    ...engines,
    stream: { ...engines.stream, subscribe },
    vectors: Object.assign(Object.create(engines.vectors) as Engines['vectors'], { search }),
  };
}

const { projectors, ...others } = embeddedConfig({ ...process.env, PALIMPSEST_DATA_DIR: process.cwd() }, process.cwd());
const config = { ...others, projectors: { ...projectors, batchSize: Number(process.env['CRASH_BATCH']) } };
const common = { config, logger: silentLogger, clock: systemClock, ids: randomIds, resources: createResources() };
const { createCommitter, ...engines } = await openEngines({
  ...common,
  embedder: createWordHashEmbedder(Number(process.env['VECTOR_SIZE'])),
});
const committer = createCommitter({
  publisher: engines.stream,
  failpoints: {
    hit: (step) => {
      if (step === 'before_commit') crashAt('sent');
      if (step !== 'after_commit') return;
      hasRecorded = true;
      crashAt('recorded');
    },
  },
});
await composeService({
  ...common,
  tenant: null,
  tenants: null,
  openRequests: createOpenRequests(),
  engines: withCrashSteps(engines),
  committer,
  version: '0.0.0-test',
  instance: 'crashing',
});
