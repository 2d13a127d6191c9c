/** The time of the service during the recalls of the tables: a Thursday. */
export const NOW = new Date('2026-03-12T12:00:00Z');
