/** The time at which the tables of recall are asked: a Thursday. */
export const NOW = new Date('2026-03-12T12:00:00Z');
