/** Where an enricher may die: with its events and nothing read, in the middle of reading, with its command sent, recorded, and answered. */
export type EnricherStep = 'handed over' | 'reading' | 'sent' | 'recorded' | 'answered';
