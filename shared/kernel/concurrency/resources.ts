/**
 * The list of everything that a composition has opened. It closes all of it in reverse order, even if one of them fails
 * to close.
 */

export interface Resources {
  /** Remembers how to close `resource` and returns it. */
  add<R>(resource: R, close: (resource: R) => Promise<void> | void): R;
  /**
   * Closes every resource, the last opened first, and then throws all failures together. A second call returns the same
   * promise.
   */
  close(): Promise<void>;
}

export function createResources(): Resources {
  const open: (() => Promise<void> | void)[] = [];
  let closing: Promise<void> | undefined;
  return {
    add(resource, close) {
      if (closing) throw new Error('No resource can be added: the resources are being closed');
      open.push(() => close(resource));
      return resource;
    },
    close() {
      closing ??= closeAll(open.reverse());
      return closing;
    },
  };
}

async function closeAll(closers: readonly (() => Promise<void> | void)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers) {
    try {
      await close();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} resources could not be closed`);
}
