/** The types of the answers, from the schemas of the contract. They know the few keywords that these schemas use. */
import type { OperationName, OPERATIONS } from '../../../../shared/contract/operations.js';

type Simple = { string: string; number: number; integer: number; boolean: boolean; null: null };

type Value<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly anyOf: readonly (infer U)[] }
      ? Value<U>
      : S extends { readonly oneOf: readonly (infer U)[] }
        ? Value<U>
        : S extends { readonly type: readonly (infer T)[] }
          ? OfType<T, S>
          : S extends { readonly type: infer T }
            ? OfType<T, S>
            : unknown;

type OfType<T, S> = T extends keyof Simple
  ? Simple[T]
  : T extends 'array'
    ? readonly Value<S extends { readonly items: infer I } ? I : unknown>[]
    : T extends 'object'
      ? ObjectOf<S>
      : never;

type RequiredIn<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

type ObjectOf<S> = S extends { readonly properties: infer P }
  ? { readonly [K in keyof P & RequiredIn<S>]: Value<P[K]> } & {
      readonly [K in Exclude<keyof P, RequiredIn<S>>]?: Value<P[K]>;
    }
  : {
      readonly [name: string]: S extends { readonly additionalProperties: infer A extends object } ? Value<A> : unknown;
    };

type SuccessOf<R> = R extends { readonly 200: infer S }
  ? S
  : R extends { readonly 201: infer S }
    ? S
    : R extends { readonly 202: infer S }
      ? S
      : never;

/** The body of the success of an operation. */
export type ReplyOf<N extends OperationName> = Value<SuccessOf<(typeof OPERATIONS)[N]['replies']>>;
