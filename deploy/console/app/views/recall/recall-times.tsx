/** The memories that have the tags of a recall over time. A range that is chosen becomes its `start` and `end`. */
import { useState } from 'preact/hooks';
import { listOf, ReadingState } from '../../parts/basics.js';
import { type Days, Timeline } from '../../parts/timeline.js';
import { call } from '../../service/service.js';
import { useRead } from '../../service/use-read.js';
import type { Given } from './recalled.js';

/** Of the last day. */
const END_OF_DAY = 'T23:59:59.999999Z';

type Props = { readonly given: Given; readonly onChoose: (given: Given) => void };

export function RecallTimes({ given, onChoose }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { start = '', end = '' } = given;
  const tags = listOf(given['tags'] ?? '');
  const query = {
    ...(tags.length > 0 && { tags, tag_mode: modeOf(given), tag_match: matchOf(given) }),
    ...(start !== '' && { since: start }),
    ...(end !== '' && { until: end }),
    ...{ limit: 0, facets: true },
  } as const;
  const reading = useRead(isOpen ? JSON.stringify(query) : null, (signal) => call('listMemories', { query, signal }));
  const choose = ({ since, until }: Days): void => {
    const { start: _start, end: _end, time_query: _words, ...others } = given;
    onChoose({ ...others, ...(since !== '' && { start: since, end: until + END_OF_DAY }) });
  };
  return (
    <details class="panel" onToggle={(event) => setIsOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>Time of the memories</summary>
      {isOpen && <ReadingState reading={reading} what="the times" />}
      {reading.body?.facets !== undefined && (
        <>
          <p>All memories with these tags. A range limits the recall to its days.</p>
          <Timeline
            facets={reading.body.facets}
            chosen={{ since: start.slice(0, 10), until: end.slice(0, 10) }}
            onChoose={choose}
          />
        </>
      )}
    </details>
  );
}

function modeOf({ tag_mode: mode }: Given): 'all' | 'any' {
  return mode === 'all' ? 'all' : 'any';
}

function matchOf({ tag_match: match }: Given): 'exact' | 'prefix' {
  return match === 'exact' ? 'exact' : 'prefix';
}
