/** How much was done a second over the last minute: a count per slot of five seconds, the oldest of which is forgotten. */
const SLOT_MS = 5_000;
const SLOTS = 12;

export type Rate = { readonly add: (count: number) => void; /** One decimal. */ readonly perSecond: () => number };

/** `now` in ms, never going back. */
export function createRate(now: () => number): Rate {
  const counts = new Map<number, number>();
  const begin = now();
  const slotAt = (at: number): number => Math.floor(at / SLOT_MS);

  function forget(): void {
    const oldest = slotAt(now()) - SLOTS;
    for (const slot of counts.keys()) if (slot <= oldest) counts.delete(slot);
  }

  return {
    add: (count) => {
      forget();
      const slot = slotAt(now());
      counts.set(slot, (counts.get(slot) ?? 0) + count);
    },
    perSecond: () => {
      forget();
      const elapsedMs = Math.min(now() - begin, SLOTS * SLOT_MS);
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return Math.round((total / Math.max(elapsedMs, SLOT_MS)) * 10_000) / 10;
    },
  };
}
