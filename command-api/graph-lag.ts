/**
 * Answers 503 where a graph that lacks events of its journal would give a wrong answer: absent memories, and conflicts
 * that no retry ends.
 */
import type { MarkWatch } from '../shared/integrity/journal-mark/watch-mark.js';
import { ConflictError, DependencyError, NotFoundError, PreconditionError } from '../shared/kernel/errors.js';

/** Whether the graph lacks events, because it was emptied or put back to an earlier state. */
export type GraphState = Pick<MarkWatch, 'isBehind' | 'isBehindNow'>;

/** Where the graph commits with its journal. */
export const WHOLE_GRAPH: GraphState = { isBehind: () => false, isBehindNow: () => Promise.resolve(false) };

const RETRY_AFTER_SECONDS = 5;
const MESSAGE =
  'The graph was emptied or put back to an earlier state and may lack the memories of this command: try again when it is rebuilt from the journal';

/**
 * For a command on given memories: a memory that is up to date in the graph is changed as usual. The graph is compared
 * with its journal before a memory is called absent, because the last comparison may be older than the loss.
 */
export async function withBehindGraph<T>(graphState: GraphState, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!dependsOnGraph(error) || !(await graphState.isBehindNow())) throw error;
    throw behindError(error);
  }
}

/** For a command that skips the memories that it does not find. */
export function requireWholeGraph(graphState: GraphState): void {
  if (graphState.isBehind()) throw behindError();
}

function dependsOnGraph(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof ConflictError || error instanceof PreconditionError;
}

function behindError(cause?: unknown): DependencyError {
  return new DependencyError('graph', MESSAGE, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
