/**
 * Prepares commands for their group: serializes their data and checks the size of each event. Also the limits of group
 * commit.
 */
import type { NewEvent } from '../../contract/events.js';
import { ENVELOPE_LIMIT_BYTES } from '../../contract/limits.js';
import type { BatchLimits, Weight } from '../../kernel/concurrency/batch-calls.js';
import { mapPaced } from '../../kernel/concurrency/paced.js';
import { ValidationError } from '../../kernel/errors.js';
import type { Command } from '../../ports/committer.js';

/** `dataTexts`: the data of each event as JSON, serialized here so that the writer does not spend time on it. */
export type PreparedCommand = Command & { readonly dataTexts: readonly string[] };

/** In events, and in bytes of their data. */
export const COMMIT_LIMITS: BatchLimits = {
  group: { count: 200, bytes: 256 * 1024 },
  smallCount: 20,
  queue: { count: 20_000, bytes: 64 * 1024 * 1024 },
};

/** Bytes of one UTF-16 unit in UTF-8. */
const MOST_UTF8_BYTES = 3;

/** In the order of the commands. Rejects when an event of one is too large. */
export async function prepareCommands(commands: readonly Command[]): Promise<readonly PreparedCommand[]> {
  const texts = await mapPaced(
    commands.flatMap(({ events }) => events),
    dataTextOf,
  );
  let from = 0;
  return commands.map((command) => ({ ...command, dataTexts: texts.slice(from, (from += command.events.length)) }));
}

function dataTextOf({ data }: NewEvent): string {
  const text = JSON.stringify(data);
  if (text.length * MOST_UTF8_BYTES <= ENVELOPE_LIMIT_BYTES) return text; // most texts need no count of their bytes
  const bytes = Buffer.byteLength(text);
  if (bytes <= ENVELOPE_LIMIT_BYTES) return text;
  throw new ValidationError(
    `The change is too large (${bytes} bytes, at most ${ENVELOPE_LIMIT_BYTES}): shorten content or metadata`,
  );
}

export function weighCommand({ events, dataTexts }: PreparedCommand): Weight {
  return { count: events.length, bytes: dataTexts.reduce((sum, text) => sum + text.length, 0) };
}
