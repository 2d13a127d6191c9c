/** What a composition has opened, so that it can be closed again: in reverse, all of it, whatever fails on the way. */

export interface Resources {
  /** Remembers how to close `resource` and gives it back. */
  add<R>(resource: R, close: (resource: R) => Promise<void> | void): R;
  /** Closes everything, the last opened first. Every resource is tried; failures are thrown together. A second call is the first. */
  close(): Promise<void>;
}

export function createResources(): Resources {
  const open: (() => Promise<void> | void)[] = [];
  let closing: Promise<void> | undefined;
  return {
    add(resource, close) {
      if (closing) throw new Error('nothing can be opened any more: the resources are being closed');
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
