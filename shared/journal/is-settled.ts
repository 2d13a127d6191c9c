/** Whether a deployment has no work that waits: a process may close then until the next request. */
import type { Jobs } from '../ports/jobs.js';
import type { JournalReader, ProjectorStates } from '../ports/journal.js';
import type { OutboxReader } from '../ports/outbox.js';
import type { Webhooks } from '../ports/webhooks.js';
import { observeProjectors } from './observe-projectors.js';

/** Every event is published and projected, no job is unfinished, and no webhook may have a delivery. */
export async function isSettled({
  journal,
  projectorStates,
  jobs,
  webhooks,
  outbox,
}: {
  readonly journal: Pick<JournalReader, 'ageAfter' | 'head'>;
  readonly projectorStates: Pick<ProjectorStates, 'list' | 'paused'>;
  readonly jobs: Pick<Jobs, 'unfinished'>;
  readonly webhooks: Pick<Webhooks, 'list'>;
  readonly outbox: Pick<OutboxReader, 'depth'>;
}): Promise<boolean> {
  const { pending, applied } = await outbox.depth();
  if (pending + applied > 0) return false;
  const states = await projectorStates.list();
  const { head, projectors } = await observeProjectors(states, { journal, projectorStates });
  if (projectors.some(({ instances, position }) => instances.length > 0 && position < head)) return false;
  if ((await jobs.unfinished()) !== null) return false;
  return (await webhooks.list()).every(({ disabledReason }) => disabledReason !== null);
}
