/** Notified after rows of the outbox became applied, by whoever applied them; listened to by the relay. */
export const APPLIED_CHANNEL = 'palimpsest_applied';
