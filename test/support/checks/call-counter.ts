/** Records the calls of a port, so that a test can limit their number. */
export type CallCounter = {
  /** Returns the port with recording. */
  readonly count: <T extends object>(port: T) => T;
  /** Returns the names of the methods called since the last `take`, in order. */
  readonly take: () => readonly string[];
};

export function createCallCounter(): CallCounter {
  let calls: string[] = [];
  return {
    count: (port) =>
      new Proxy(port, {
        get(target, property, receiver) {
          const value: unknown = Reflect.get(target, property, receiver);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]): unknown => {
            calls.push(String(property));
            return Reflect.apply(value, target, args);
          };
        },
      }),
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}
