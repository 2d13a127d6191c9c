/** GET /admin/projectors: position, lag, rate and last error of each projector and of each of its instances. */
import type { Handler } from '../../shared/http/handler.js';
import {
  type ObservedInstance,
  type ObservedProjector,
  observeProjectors,
} from '../../shared/journal/observe-projectors.js';
import { lastErrorOf } from '../../shared/journal/projector-fleet.js';
import type { DeadLetters, JournalReader, ProjectorStates } from '../../shared/ports/journal.js';

export function createListProjectors({
  deadLetters,
  ...ports
}: {
  readonly journal: Pick<JournalReader, 'ageAfter' | 'head'>;
  readonly projectorStates: Pick<ProjectorStates, 'list' | 'paused'>;
  readonly deadLetters: Pick<DeadLetters, 'count'>;
}): Handler<'listProjectors'> {
  return async () => {
    const { head, projectors } = await observeProjectors(await ports.projectorStates.list(), ports);
    const body = await Promise.all(
      projectors.map(async (projector) => ({
        ...projectorBody(projector),
        dead_letters: await deadLetters.count(projector.name),
      })),
    );
    return { status: 200, body: { status: 'success', head, projectors: body } };
  };
}

/**
 * The rate is the sum of the running instances; the counts are the sums of all instances whose state is still stored.
 */
function projectorBody({ name, status, position, lag, instances }: ObservedProjector) {
  const { lastError, lastErrorAt } = lastErrorOf(instances);
  const rate = instances
    .filter((instance) => instance.status === 'running')
    .reduce((sum, { ratePerSecond = 0 }) => sum + ratePerSecond, 0);
  return {
    name,
    status,
    position,
    lag_events: lag.events,
    lag_seconds: lag.seconds,
    rate_per_second: Math.round(rate * 10) / 10,
    handled: instances.reduce((sum, { handled }) => sum + handled, 0),
    failed: instances.reduce((sum, { failed }) => sum + failed, 0),
    last_error: lastError,
    last_error_at: lastErrorAt,
    instances: instances.map(instanceBody),
  };
}

function instanceBody({
  instance,
  status,
  position,
  ratePerSecond = 0,
  handled,
  failed,
  lastError,
  lastErrorAt,
  heartbeatAt,
  detail = {},
}: ObservedInstance) {
  return {
    instance,
    status,
    position,
    handled,
    failed,
    detail,
    rate_per_second: ratePerSecond,
    last_error: lastError,
    last_error_at: lastErrorAt,
    heartbeat_at: heartbeatAt,
  };
}
