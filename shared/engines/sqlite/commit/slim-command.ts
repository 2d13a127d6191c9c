/**
 * The form of a command on its way to the writer thread: the data of its events is there once, as text. Copying the
 * objects too takes the main thread 100 ms for 500 memories with 100 tags each.
 */
import type { NewEvent } from '../../../contract/events.js';
import { mapPaced } from '../../../kernel/concurrency/paced.js';
import type { PreparedCommand } from '../../sql/prepare-command.js';

type SlimEvent = Omit<NewEvent, 'data'>;
export type SlimCommand = Omit<PreparedCommand, 'events' | 'dataTexts'> & {
  readonly events: readonly SlimEvent[];
  readonly dataTexts: readonly string[] | SharedTexts;
};

/** Texts in memory that both threads see. `ends`: the position after each text. */
type SharedTexts = { readonly bytes: SharedArrayBuffer; readonly ends: readonly number[] };

/** In characters. A message copies its texts in one piece: 50 MB take the main thread 90 ms. */
const COPIED_LIMIT = 1024 * 1024;

export async function slimCommand(command: PreparedCommand): Promise<SlimCommand> {
  const events = command.events.map(({ data: _, ...event }) => event);
  const characters = command.dataTexts.reduce((sum, { length }) => sum + length, 0);
  return {
    ...command,
    events,
    dataTexts: characters > COPIED_LIMIT ? await share(command.dataTexts) : command.dataTexts,
  };
}

export function wholeCommand(command: SlimCommand): PreparedCommand {
  const dataTexts = 'bytes' in command.dataTexts ? textsOf(command.dataTexts) : command.dataTexts;
  const events = command.events.map(
    // The text is the data of this event, so the two are a NewEvent again.
    (event, index) => ({ ...event, data: JSON.parse(dataTexts[index] ?? 'null') }) as NewEvent,
  );
  return { ...command, events, dataTexts };
}

async function share(texts: readonly string[]): Promise<SharedTexts> {
  let end = 0;
  const ends = await mapPaced(texts, (text) => (end += Buffer.byteLength(text)));
  const bytes = new SharedArrayBuffer(end);
  const target = Buffer.from(bytes);
  await mapPaced(texts, (text, index) => target.write(text, ends[index - 1] ?? 0));
  return { bytes, ends };
}

function textsOf({ bytes, ends }: SharedTexts): readonly string[] {
  const source = Buffer.from(bytes);
  return ends.map((end, index) => source.toString('utf8', ends[index - 1] ?? 0, end));
}
