/** Counts the requests that handlers work on, so that background work in the same process can give way to them. */
import type { OperationName } from '../contract/operations.js';
import type { Handlers } from './handler.js';

export type OpenRequests = {
  /** The same handlers, each of whose calls is counted until it has its reply. A stream counts until it begins. */
  readonly counting: <N extends OperationName>(handlers: Handlers<N>) => Handlers<N>;
  readonly count: () => number;
};

export function createOpenRequests(): OpenRequests {
  let open = 0;

  function counted<A, R>(handler: (request: A) => Promise<R>): (request: A) => Promise<R> {
    return async (request) => {
      open += 1;
      try {
        return await handler(request);
      } finally {
        open -= 1;
      }
    };
  }

  return {
    counting: <N extends OperationName>(handlers: Handlers<N>) =>
      // The same names with handlers of the same types; the compiler cannot derive this from the entries.
      Object.fromEntries(
        Object.entries<(request: never) => Promise<unknown>>(handlers).map(([name, handler]) => [
          name,
          counted(handler),
        ]),
      ) as Handlers<N>,
    count: () => open,
  };
}
