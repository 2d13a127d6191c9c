/** Events per second over the last minute, from one count per slot of five seconds. */
const SLOT_MS = 5_000;
const SLOTS = 12;

export type Rate = { readonly add: (count: number) => void; /** One decimal. */ readonly perSecond: () => number };

/** `now`: a monotonic clock in ms. */
export function createRate(now: () => number): Rate {
  const counts = new Map<number, number>();
  const startedAt = now();
  const slotAt = (at: number): number => Math.floor(at / SLOT_MS);

  function dropOldSlots(): void {
    const oldest = slotAt(now()) - SLOTS;
    for (const slot of counts.keys()) if (slot <= oldest) counts.delete(slot);
  }

  return {
    add: (count) => {
      dropOldSlots();
      const slot = slotAt(now());
      counts.set(slot, (counts.get(slot) ?? 0) + count);
    },
    perSecond: () => {
      dropOldSlots();
      const elapsedMs = Math.min(now() - startedAt, SLOTS * SLOT_MS);
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return Math.round((total / Math.max(elapsedMs, SLOT_MS)) * 10_000) / 10;
    },
  };
}
