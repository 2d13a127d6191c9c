/**
 * The precondition of every change of one memory: it exists and, with If-Match, still has the revision that the caller
 * saw.
 */
import type { RequestContext } from '../../shared/http/handler.js';
import { NotFoundError, PreconditionError } from '../../shared/kernel/errors.js';
import type { LoadedMemory } from '../../shared/ports/graph.js';

/** A message repeats no more of a long list. */
const SHOWN_REVISIONS = 3;

export type IfMatch = Pick<RequestContext, 'ifMatch'>;

export function requirePresent(loaded: LoadedMemory | undefined, { ifMatch }: IfMatch): LoadedMemory {
  if (!loaded) throw new NotFoundError('Memory not found');
  if (ifMatch !== null && ifMatch !== '*' && !ifMatch.includes(loaded.revision)) {
    throw new PreconditionError(
      `The memory is at revision ${loaded.revision}, not ${ifMatch.slice(0, SHOWN_REVISIONS).join(' or ')}: read it again and decide whether your change still holds`,
      loaded.revision,
    );
  }
  return loaded;
}
