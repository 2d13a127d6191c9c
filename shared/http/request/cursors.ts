/**
 * Positions of the journal in requests and replies: `<history>.<position>`, opaque to clients. The history is the
 * prefix of the journal's identity, so a position of another history is refused. Handlers have plain numbers.
 */
import { ValidationError } from '../../kernel/errors.js';

const HISTORY_LENGTH = 8;
/** A plain number is the position of an event, or comes from an earlier release: it counts in the present history. */
export const CURSOR_PATTERN = `^(?:([0-9a-f]{${HISTORY_LENGTH}})\\.)?(\\d{1,16})$`;
const CURSOR = new RegExp(CURSOR_PATTERN, 'u');

export type Cursors = {
  readonly cursorOf: (position: number) => string;
  /**
   * Null for a text that is no cursor. Throws ValidationError for a position of another history; `advice` is what the
   * caller does instead.
   */
  readonly positionOf: (text: string, field: { readonly name: string; readonly advice: string }) => number | null;
};

/**
 * `historyId`: the identity of the journal. Null while it is not known: cursors are then plain numbers, and histories
 * are not compared.
 */
export function createCursors(historyId: () => string | null): Cursors {
  const history = (): string | null => historyId()?.slice(0, HISTORY_LENGTH) ?? null;
  return {
    cursorOf: (position) => {
      const known = history();
      return known === null ? String(position) : `${known}.${position}`;
    },
    positionOf: (text, { name, advice }) => {
      const [, given, digits] = CURSOR.exec(text) ?? [];
      const position = Number(digits);
      if (!Number.isSafeInteger(position)) return null;
      const known = history();
      if (given !== undefined && known !== null && given !== known)
        throw new ValidationError(`'${name}' belongs to another history of this service: ${advice}`, name);
      return position;
    },
  };
}
