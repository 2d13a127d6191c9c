/** A switch that breaks an engine: until `mend`, each method of a guarded port rejects as if its engine were down. */
import { type Dependency, DependencyError } from '../../../shared/kernel/errors.js';

export type Breaker = {
  readonly break: () => void;
  readonly mend: () => void;
  /** Returns the port behind the switch. Properties that are not functions stay readable, and `close` always works. */
  readonly guard: <T extends object>(port: T) => T;
};

/** Creates one switch for all ports of one engine. */
export function createBreaker(dependency: Dependency): Breaker {
  let isBroken = false;
  return {
    break: () => {
      isBroken = true;
    },
    mend: () => {
      isBroken = false;
    },
    guard: (port) =>
      new Proxy(port, {
        get(target, property, receiver) {
          const value: unknown = Reflect.get(target, property, receiver);
          if (typeof value !== 'function' || property === 'close') return value;
          return (...args: unknown[]): unknown => {
            if (isBroken) return Promise.reject(new DependencyError(dependency, `The test broke the ${dependency}`));
            return Reflect.apply(value, target, args);
          };
        },
      }),
  };
}
