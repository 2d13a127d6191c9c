/**
 * POST /admin/projectors/:name/pause and /resume: stores the request next to the journal; every instance follows it
 * within a second.
 */
import { PROJECTOR_NAMES } from '../../shared/contract/projector-names.js';
import type { Handlers, ReplyFor } from '../../shared/http/handler.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import type { ProjectorStates } from '../../shared/ports/journal.js';

type Operation = 'pauseProjector' | 'resumeProjector';

export function createPauseProjectors({
  projectorStates,
}: {
  readonly projectorStates: Pick<ProjectorStates, 'setPaused'>;
}): Handlers<Operation> {
  async function setPaused(name: string, paused: boolean): Promise<ReplyFor<Operation>> {
    if (!(PROJECTOR_NAMES as readonly string[]).includes(name))
      throw new NotFoundError(`There is no projector of that name; there are ${PROJECTOR_NAMES.join(' and ')}`);
    await projectorStates.setPaused(name, paused);
    return { status: 200, body: { status: 'success', name, paused } };
  }

  return {
    pauseProjector: ({ params: { name } }) => setPaused(name, true),
    resumeProjector: ({ params: { name } }) => setPaused(name, false),
  };
}
