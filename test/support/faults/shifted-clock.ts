/**
 * Shifts the clock of this process, as on a host whose clock is wrong: `Date` itself, so that no use of it is left out.
 * Timers go on.
 */
const RealDate = Date;

/** Runs the work with a clock that is ahead by `ms`, or behind with a negative number. */
export async function withShiftedClock<T>(ms: number, work: () => Promise<T>): Promise<T> {
  globalThis.Date = shiftedDate(ms);
  try {
    return await work();
  } finally {
    globalThis.Date = RealDate;
  }
}

function shiftedDate(ms: number): DateConstructor {
  return new Proxy(RealDate, {
    construct: (target, args: unknown[]) =>
      Reflect.construct(target, args.length === 0 ? [target.now() + ms] : args) as Date,
    get: (target, name) => (name === 'now' ? () => target.now() + ms : (Reflect.get(target, name) as unknown)),
  });
}
