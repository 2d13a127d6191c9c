/**
 * Reads a JSON text of any size value by value: the elements of its lists and its statistics, so that only one value is
 * in memory.
 */
import { JSONParser } from '@streamparser/json';
import { ArchiveError } from '../../../../shared/integrity/backup-format/archive-error.js';
import { messageOf } from '../../../../shared/kernel/errors.js';

export type FoundValue = { readonly list: string; readonly value: unknown };

/**
 * No node, association or point is this large. A text without a complete value within this size is not part of an
 * archive.
 */
export const VALUE_LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * `lists` are names at the top of the JSON object; the elements of each are found, and the object `stats` as a whole.
 */
export async function* readValues(
  chunks: AsyncIterable<Uint8Array>,
  lists: readonly string[],
  limitBytes = VALUE_LIMIT_BYTES,
): AsyncGenerator<FoundValue> {
  const found: FoundValue[] = [];
  const parser = new JSONParser({ paths: [...lists.map((list) => `$.${list}.*`), '$.stats'], keepStack: false });
  parser.onValue = ({ value, key, stack }) => {
    const list = stack.length === 1 ? key : stack[1]?.key;
    found.push({ list: String(list), value });
  };
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    write(parser, chunk);
    if (found.length > 0) bytes = 0;
    if (bytes > limitBytes)
      throw new ArchiveError(`A part of the archive has a value of more than ${limitBytes} bytes`);
    yield* found.splice(0);
  }
  if (!parser.isEnded) throw new ArchiveError('The JSON in a part of the archive is cut off before its end');
}

function write(parser: JSONParser, chunk: Uint8Array): void {
  try {
    parser.write(chunk);
  } catch (error) {
    throw new ArchiveError(`A part of the archive is not JSON: ${messageOf(error).slice(0, 200)}`, { cause: error });
  }
}
