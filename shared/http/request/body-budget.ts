/** Bounds the bytes of all request bodies that a process holds at the same time. */
import { DeadlineError } from '../../kernel/errors.js';

/**
 * Eight bodies of the largest size, or a thousand bodies of 256 KB. Their parsed values take several times as much
 * memory.
 */
export const BODIES_IN_FLIGHT_LIMIT_BYTES = 256 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;

/**
 * The part of one request. Received bytes count, not announced ones, so that a client that sends nothing takes no room.
 */
export type BodyShare = {
  /** Throws DeadlineError when all bodies together exceed the limit. */
  readonly take: (bytes: number) => void;
  readonly release: () => void;
};

export type BodyBudget = { readonly open: () => BodyShare };

export function createBodyBudget(limitBytes: number): BodyBudget {
  let heldBytes = 0;
  return {
    open: () => {
      let own = 0;
      return {
        take: (bytes) => {
          if (heldBytes + bytes > limitBytes)
            throw new DeadlineError('This process reads too many bodies now: send it again later', RETRY_AFTER_SECONDS);
          heldBytes += bytes;
          own += bytes;
        },
        release: () => {
          heldBytes -= own;
          own = 0;
        },
      };
    },
  };
}
