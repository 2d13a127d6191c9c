/** Attacks by jobs, scans of the journal, and reads of the state of the service. */
import { type Attack, json, type Request } from './attack.js';

/** `count` requests at the same time. */
const requests = (name: string, count: number, request: (index: number) => Request): Attack => ({
  class: 'jobs',
  name,
  attack: ({ flood }) => flood(count, request),
});

const MODES = ['full', 'decay', 'creative', 'cluster', 'forget', 'identity'];

export const jobAttacks: readonly Attack[] = [
  requests('30 requests for consolidation', 30, (index) => ({
    method: 'POST',
    path: '/consolidate',
    body: json({ mode: MODES[index % MODES.length], dry_run: index % 2 === 0 }),
  })),
  requests('50 scans of the events from 0', 50, () => ({ path: '/events?after=0&limit=1000' })),
  requests('50 scans for a type of event that is rare', 50, () => ({ path: '/events?after=0&type=memory.deleted' })),
  requests('300 waits for the next event', 300, () => ({ path: '/events?after=0&type=memory.deleted&wait=30' })),
  requests('300 health checks without a token', 300, () => ({ path: '/health', token: null })),
];
