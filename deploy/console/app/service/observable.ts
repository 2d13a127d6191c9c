/** A value that components follow: they render again when it changes. */
import { useEffect, useState } from 'preact/hooks';

export type Observable<T> = {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Sets a value that means the same to its followers, and calls none of them. */
  readonly replace: (value: T) => void;
  readonly follow: (listener: (value: T) => void) => () => void;
};

export function observable<T>(initial: T): Observable<T> {
  let current = initial;
  const listeners = new Set<(value: T) => void>();
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener(value);
    },
    replace: (value) => {
      current = value;
    },
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useObservable<T>(source: Observable<T>): T {
  const [value, setValue] = useState(source.get());
  useEffect(() => {
    setValue(() => source.get());
    return source.follow((next) => setValue(() => next));
  }, [source]);
  return value;
}
