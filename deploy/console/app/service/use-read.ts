/**
 * Reads something of the service for a view: again when its key changes, when the service recovers, and at an interval.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useObservable } from './observable.js';
import { type Problem, recoveries, type Result } from './service.js';
import { tokens } from './session.js';

export type Reading<T> = {
  readonly body: T | null;
  readonly headers: Headers | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  /** Reads again now. */
  readonly again: () => void;
};

type State<T> = Omit<Reading<T>, 'again'> & { readonly key: string };

/** `key` names what is read; null reads nothing. Old content stays while the same key is read again. */
export function useRead<T>(
  key: string | null,
  read: (signal: AbortSignal) => Promise<Result<T>>,
  everyMs?: number,
): Reading<T> {
  const empty: State<T> = { key: key ?? '', body: null, headers: null, problem: null, isLoading: key !== null };
  const [state, setState] = useState<State<T>>(empty);
  const [turn, setTurn] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const recovered = useObservable(recoveries);
  const given = useObservable(tokens);

  useEffect(() => {
    if (key === null) return;
    const cancel = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      setState((old) => (old.key === key ? { ...old, isLoading: true } : { ...empty, isLoading: true }));
      const result = await latest.current(cancel.signal);
      if (cancel.signal.aborted) return;
      setState((old) =>
        result.ok
          ? { key, body: result.body, headers: result.headers, problem: null, isLoading: false }
          : { ...(old.key === key ? old : empty), problem: result.problem, isLoading: false },
      );
      if (everyMs !== undefined) timer = setTimeout(() => void run(), everyMs);
    };
    void run();
    return () => {
      cancel.abort();
      clearTimeout(timer);
    };
  }, [key, turn, recovered, given, everyMs]);

  const again = useCallback(() => setTurn((number) => number + 1), []);
  const shown = state.key === (key ?? '') ? state : empty;
  return { ...shown, again };
}
