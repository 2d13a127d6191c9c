/** Makes each call of the vendor's client a client span, named after its method. */
import { withChildSpan } from '../../kernel/tracing/tracing.js';

/** Returns the client with the same methods. A call outside of a request or an event makes no span. */
export function traceCalls<C extends object>(client: C): C {
  return new Proxy(client, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function' || typeof key !== 'string') return member;
      return (...given: unknown[]): unknown => {
        const attributes = { 'db.system.name': 'qdrant', 'db.operation.name': key };
        return withChildSpan(`qdrant ${wordsOf(key)}`, { kind: 'client', attributes }, () =>
          Reflect.apply(member, target, given),
        );
      };
    },
  });
}

/** `queryBatch` becomes `query batch`. */
function wordsOf(method: string): string {
  return method.replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
}
