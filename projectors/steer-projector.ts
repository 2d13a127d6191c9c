/**
 * Does what people ask of a projector, wherever they asked: stands still while it is paused, and takes on the dead letters that are to be
 * tried again. What was asked stands beside the journal, so that every instance sees it and a restart forgets none of it.
 */
import type { RecordedEvent } from '../shared/contract/events.js';
import type { DeadLetter, DeadLetters, JournalReader, ProjectorStates } from '../shared/journal/journal.js';
import type { Logger } from '../shared/kernel/logger.js';
import { createLoop } from '../shared/kernel/loop.js';

/** How soon an instance does what was asked. */
const LOOK_MS = 500;
const FAILED_MAXIMUM_MS = 30_000;
/** Letters that one instance takes at a time. */
const REDRIVE_LETTERS = 20;

export type Steering = {
  /** Looks no more, and has put down what it had taken. */
  readonly stop: () => Promise<void>;
};

export function steerProjector({
  name,
  states,
  deadLetters,
  journal,
  turn,
  retry,
  logger,
}: {
  readonly name: string;
  readonly states: Pick<ProjectorStates, 'paused'>;
  readonly deadLetters: Pick<DeadLetters, 'takeRedrives' | 'requestRedrive'>;
  readonly journal: Pick<JournalReader, 'read'>;
  readonly turn: (paused: boolean) => void;
  /** Projects the event of a letter once more; rejects with what may succeed later. */
  readonly retry: (event: RecordedEvent, letter: DeadLetter, signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}): Steering {
  const stopping = new AbortController();

  async function redrive(letter: DeadLetter, signal: AbortSignal): Promise<void> {
    const [event] = await journal.read({ after: letter.position - 1, limit: 1 });
    if (event?.id === letter.eventId) return retry(event, letter, signal);
    logger.error(
      { letter: letter.id, eventId: letter.eventId, position: letter.position },
      'The journal has no event of this dead letter',
    );
  }

  async function look(signal: AbortSignal): Promise<'full' | 'idle'> {
    const isPaused = (await states.paused()).has(name);
    turn(isPaused);
    if (isPaused) return 'idle';
    const letters = await deadLetters.takeRedrives(name, REDRIVE_LETTERS);
    for (const [index, letter] of letters.entries()) {
      try {
        await redrive(letter, signal);
      } catch (error) {
        // Nobody else has taken them, and nothing of them is lost.
        await deadLetters.requestRedrive(letters.slice(index).map(({ id }) => id));
        throw error;
      }
    }
    return letters.length === REDRIVE_LETTERS ? 'full' : 'idle';
  }

  const loop = createLoop({
    step: look,
    onFailure: (error, waitMs) =>
      logger.warn({ error, waitMs }, 'What was asked of the projector could not be done; it is tried again'),
    pace: {
      idleMinimumMs: LOOK_MS,
      idleMaximumMs: LOOK_MS,
      failedMinimumMs: LOOK_MS,
      failedMaximumMs: FAILED_MAXIMUM_MS,
    },
  });
  const running = loop.run(stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
