/**
 * Carries out the requests of operators to one projector: pause, resume, and redrive of dead letters. The requests are
 * stored next to the journal, so every instance sees them and they survive a restart.
 */
import type { RecordedEvent } from '../shared/contract/events.js';
import type { Pace } from '../shared/kernel/concurrency/backoff.js';
import { createLoop } from '../shared/kernel/concurrency/loop.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { DeadLetter, DeadLetters, JournalReader, ProjectorStates } from '../shared/ports/journal.js';

/** How often an instance reads the requests; seldom while there are none. */
const PACE: Pace = { idleMinimumMs: 500, idleMaximumMs: 2_000, failedMinimumMs: 500, failedMaximumMs: 30_000 };
/** Dead letters that one instance takes in one step. */
const REDRIVE_BATCH_LETTERS = 20;

export type ProjectorControl = {
  /** Stops reading requests; resolves when the running step has ended. */
  readonly stop: () => Promise<void>;
};

export function controlProjector({
  name,
  states,
  deadLetters,
  journal,
  setPaused,
  retry,
  logger,
}: {
  readonly name: string;
  readonly states: Pick<ProjectorStates, 'paused'>;
  readonly deadLetters: Pick<DeadLetters, 'takeRedrives' | 'requestRedrive'>;
  readonly journal: Pick<JournalReader, 'read'>;
  readonly setPaused: (paused: boolean) => void;
  /** Projects the event of a dead letter again; rejects with a retryable error. */
  readonly retry: (event: RecordedEvent, letter: DeadLetter, signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}): ProjectorControl {
  const stopping = new AbortController();

  async function redrive(letter: DeadLetter, signal: AbortSignal): Promise<void> {
    const [event] = await journal.read({ after: letter.position - 1, limit: 1 });
    if (event?.id === letter.eventId) return retry(event, letter, signal);
    logger.error(
      { letter: letter.id, eventId: letter.eventId, position: letter.position },
      'the event of a dead letter is missing from the journal',
    );
  }

  async function handleRequests(signal: AbortSignal): Promise<'full' | 'partial' | 'idle'> {
    const isPaused = (await states.paused()).has(name);
    setPaused(isPaused);
    if (isPaused) return 'idle';
    const letters = await deadLetters.takeRedrives(name, REDRIVE_BATCH_LETTERS);
    for (const [index, letter] of letters.entries()) {
      try {
        await redrive(letter, signal);
      } catch (error) {
        // Only this instance has taken these letters: request their redrive again, so that none is lost.
        await deadLetters.requestRedrive(letters.slice(index).map(({ id }) => id));
        throw error;
      }
    }
    if (letters.length === 0) return 'idle';
    return letters.length === REDRIVE_BATCH_LETTERS ? 'full' : 'partial';
  }

  const loop = createLoop({
    step: handleRequests,
    onFailure: (error, waitMs) => logger.warn({ err: error, waitMs }, 'reading projector requests failed'),
    pace: PACE,
  });
  const running = loop.run(stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
