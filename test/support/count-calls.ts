/** Counts what is asked of a port, so that a test can hold a bound. */
export type CallCounter = {
  /** The same port, counted. */
  readonly count: <T extends object>(port: T) => T;
  /** Names of the methods called since the last time, in the order of the calls. */
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
