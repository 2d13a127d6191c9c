/** A memory that an answer names by its id alone: quoted by its content, as a link. */
import { MemoryLink, shorten } from '../../parts/basics.js';
import { call, memoryId } from '../../service/service.js';
import { useRead } from '../../service/use-read.js';

const QUOTE_LENGTH = 160;

/** Contents by id that the page has already: no request reads them again. */
export type Known = ReadonlyMap<string, string>;

export function QuotedMemory({ id, known }: { readonly id: string; readonly known: Known }) {
  const content = known.get(id);
  const reading = useRead(content === undefined ? id : null, (signal) =>
    call('getMemory', { params: { id: memoryId(id) }, signal }),
  );
  const quoted = content ?? reading.body?.memory.content;
  return quoted === undefined ? (
    <MemoryLink id={id} />
  ) : (
    <MemoryLink id={id}>“{shorten(quoted, QUOTE_LENGTH)}”</MemoryLink>
  );
}
