/**
 * The form of a command on its way to the writer thread: the data of its events is there once, as text. Copying the
 * objects too takes the main thread 100 ms for 500 memories with 100 tags each.
 */
import type { NewEvent } from '../../../contract/events.js';
import type { PreparedCommand } from '../../sql/prepare-command.js';

type SlimEvent = Omit<NewEvent, 'data'>;
export type SlimCommand = Omit<PreparedCommand, 'events'> & { readonly events: readonly SlimEvent[] };

export function slimCommand(command: PreparedCommand): SlimCommand {
  return { ...command, events: command.events.map(({ data: _, ...event }) => event) };
}

export function wholeCommand(command: SlimCommand): PreparedCommand {
  const events = command.events.map(
    // The text is the data of this event, so the two are a NewEvent again.
    (event, index) => ({ ...event, data: JSON.parse(command.dataTexts[index] ?? 'null') }) as NewEvent,
  );
  return { ...command, events };
}
