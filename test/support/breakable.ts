/** A port that a test can break: every method of it rejects as if the engine were down, until it is mended. */
import { DependencyError, type Dependency } from '../../shared/kernel/errors.js';

export type Breaker = { readonly break: () => void; readonly mend: () => void };

/** The same port with a switch. Properties that are not functions stay readable. */
export function breakable<T extends object>(port: T, dependency: Dependency): { readonly port: T; readonly breaker: Breaker } {
  let isBroken = false;
  const handler: ProxyHandler<T> = {
    get(target, property, receiver) {
      const value: unknown = Reflect.get(target, property, receiver);
      if (typeof value !== 'function' || property === 'close') return value;
      return (...args: unknown[]): unknown => {
        if (isBroken) return Promise.reject(new DependencyError(dependency, `The ${dependency} was broken by the test`));
        return Reflect.apply(value, target, args);
      };
    },
  };
  return {
    port: new Proxy(port, handler),
    breaker: {
      break: () => {
        isBroken = true;
      },
      mend: () => {
        isBroken = false;
      },
    },
  };
}
