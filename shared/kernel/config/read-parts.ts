/** Reads a configuration that consists of several parts and reports the problems of all parts together. */
import { ConfigurationError } from './config.js';

export type Parts<R extends Readonly<Record<string, () => unknown>>> = { readonly [K in keyof R]: ReturnType<R[K]> };

/** Throws one ConfigurationError with the problems of all parts. */
export function readParts<R extends Readonly<Record<string, () => unknown>>>(readers: R): Parts<R> {
  const problems = new Set<string>();
  const values = Object.entries(readers).map(([name, read]) => {
    try {
      return [name, read()];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      error.problems.forEach((problem) => problems.add(problem));
      return [name, undefined];
    }
  });
  if (problems.size > 0) throw new ConfigurationError([...problems]);
  return Object.fromEntries(values) as Parts<R>; // each name has the result of its own reader
}
