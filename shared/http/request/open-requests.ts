/** Counts the open requests of a process, to which its background work gives way. */
import type { Operation } from '../../contract/operation.js';
import { type OperationName, OPERATIONS } from '../../contract/operations.js';
import { createCallers, type GiveWay } from '../../kernel/concurrency/give-way.js';
import type { Handlers } from '../handler.js';

export type OpenRequests = {
  /**
   * The same handlers, each of whose calls is counted until it has its reply. A stream counts until it begins.
   * `tenant`: its id; empty for the default one.
   */
  readonly counting: <N extends OperationName>(handlers: Handlers<N>, tenant?: string) => Handlers<N>;
  readonly count: () => number;
  /** For long work of this tenant. It gives way to the light requests of the others. */
  readonly giveWayOf: (tenant: string) => GiveWay;
};

export function createOpenRequests(): OpenRequests {
  const callers = createCallers();
  let open = 0;

  function counted<A, R>(handler: (request: A) => Promise<R>, begin: () => () => void): (request: A) => Promise<R> {
    return async (request) => {
      open += 1;
      const end = begin();
      try {
        return await handler(request);
      } finally {
        open -= 1;
        end();
      }
    };
  }

  return {
    counting: <N extends OperationName>(handlers: Handlers<N>, tenant = '') => {
      const begin = (name: string) => (isLight(name as N) ? () => callers.begin(tenant) : () => () => undefined);
      // The same names with handlers of the same types; the compiler cannot derive this from the entries.
      return Object.fromEntries(
        Object.entries<(request: never) => Promise<unknown>>(handlers).map(([name, handler]) => [
          name,
          counted(handler, begin(name)),
        ]),
      ) as Handlers<N>;
    },
    count: () => open,
    giveWayOf: callers.giveWayOf,
  };
}

/** Neither a batch of memories, nor the page and probes that machines request every few seconds. */
function isLight(name: OperationName): boolean {
  const { access, body }: Operation = OPERATIONS[name];
  return access !== 'public' && body?.kind !== 'memories';
}
