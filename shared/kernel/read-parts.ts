/** A configuration made of several parts: each is read, and what is wrong with any of them is told together. */
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
  return Object.fromEntries(values) as Parts<R>; // each name has what its reader gave
}
