/** The memories that name an entity, page by page. */
import { useState } from 'preact/hooks';
import { MemoryLink, ReadingState, shorten, Time } from '../../parts/basics.js';
import { call } from '../../service/service.js';
import { useRead } from '../../service/use-read.js';

const CONTENT_LENGTH = 160;

type Props = {
  /** `entity:<category>:<slug>`. */
  readonly tag: string;
  readonly limit: number;
  readonly isPaged?: boolean;
};

export function EntityMemories({ tag, limit, isPaged = false }: Props) {
  /** The cursors of the pages before this one, and of this one. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const reading = useRead(`memories of ${tag} ${cursor ?? ''}`, (signal) =>
    call('listMemories', {
      query: { tags: [tag], tag_match: 'exact', limit, ...(cursor !== undefined && { cursor }) },
      signal,
    }),
  );
  const next = reading.body?.next_cursor ?? null;
  return (
    <>
      <ReadingState reading={reading} what="its memories" />
      <ol class="lines">
        {(reading.body?.memories ?? []).map(({ id, content, type, timestamp }) => (
          <li key={id}>
            <Time at={timestamp} /> <span class="chip">{type}</span>{' '}
            <MemoryLink id={id}>{shorten(content, CONTENT_LENGTH)}</MemoryLink>
          </li>
        ))}
      </ol>
      {isPaged && (cursors.length > 0 || next !== null) && (
        <div class="buttons">
          <button type="button" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            Previous
          </button>
          <button
            type="button"
            disabled={next === null}
            onClick={() => next !== null && setCursors([...cursors, next])}
          >
            Next
          </button>
        </div>
      )}
    </>
  );
}
