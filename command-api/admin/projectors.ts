/** POST /admin/projectors/:name/pause and /resume: stores the request next to the journal; every instance follows it within a second. */
import { PROJECTOR_NAMES } from '../../shared/contract/projector-names.js';
import type { Handler } from '../../shared/http/handler.js';
import type { ProjectorStates } from '../../shared/journal/journal.js';
import { NotFoundError } from '../../shared/kernel/errors.js';

export function createSetProjectorPaused({
  projectorStates,
  paused,
}: {
  readonly projectorStates: Pick<ProjectorStates, 'setPaused'>;
  /** The requested state. */
  readonly paused: boolean;
}): Handler<'pauseProjector' | 'resumeProjector'> {
  return async ({ params: { name } }) => {
    if (!(PROJECTOR_NAMES as readonly string[]).includes(name))
      throw new NotFoundError(`There is no projector of that name; there are ${PROJECTOR_NAMES.join(' and ')}`);
    await projectorStates.setPaused(name, paused);
    return { status: 200, body: { status: 'success', name, paused } };
  };
}
