/** Wakes one waiting caller. A wake-up without a waiting caller is kept for the next one. */
export interface WakeSignal {
  readonly wake: () => void;
  /** Waits for a wake-up, for at most this long. */
  readonly wait: (milliseconds: number) => Promise<'woken' | 'timeout'>;
}

export function createWakeSignal(): WakeSignal {
  let isWoken = false;
  let endWait: (() => void) | null = null;
  return {
    wake: () => {
      isWoken = true;
      endWait?.();
    },
    wait: async (milliseconds) => {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      endWait = null;
      const outcome = isWoken ? 'woken' : 'timeout';
      isWoken = false;
      return outcome;
    },
  };
}
