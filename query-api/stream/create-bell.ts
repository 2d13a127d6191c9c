/** Wakes one who waits. A ring while nobody waits is kept for the next who does. */
export interface Bell {
  readonly ring: () => void;
  /** Waits for a ring, but no longer than this. */
  readonly wait: (milliseconds: number) => Promise<'rung' | 'silent'>;
}

export function createBell(): Bell {
  let isRung = false;
  let wake: (() => void) | null = null;
  return {
    ring: () => {
      isRung = true;
      wake?.();
    },
    wait: async (milliseconds) => {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      const outcome = isRung ? 'rung' : 'silent';
      isRung = false;
      return outcome;
    },
  };
}
