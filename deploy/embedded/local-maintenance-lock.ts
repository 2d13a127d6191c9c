/** The maintenance lock of the embedded composition: one process is the whole deployment. */
import type { MaintenanceLock, MaintenanceTask } from '../../shared/ports/maintenance-lock.js';

export function createLocalMaintenanceLock(): MaintenanceLock {
  const held = new Set<MaintenanceTask>();
  return {
    take: async (task) => {
      if (held.has(task)) return null;
      held.add(task);
      const released = new AbortController();
      return {
        lost: released.signal,
        release: async () => {
          held.delete(task);
          released.abort();
        },
      };
    },
  };
}
