/** The latest changes by callers in words: first from the journal, then from the live stream. */
import { useEffect, useState } from 'preact/hooks';
import { Empty, Time } from '../../parts/basics.js';
import { EventWords, type Happening, keepWords } from '../../parts/event-words.js';
import { watchStream } from '../../service/event-stream.js';
import { useObservable } from '../../service/observable.js';
import { hrefOf } from '../../service/route.js';
import { call, type Problem } from '../../service/service.js';
import { tokens } from '../../service/session.js';

const SHOWN = 8;
/**
 * Positions before the end of the journal that are read, further back while changes are missing. After an import,
 * enrichment writes an event for each memory behind the last change.
 */
const READ_BACK = [40, 160, 640] as const;

/** Only changes by callers; the Live view has every event. */
const WORDS: Readonly<Record<string, string>> = {
  'memory.stored': 'stored',
  'memory.updated': 'changed',
  'memory.deleted': 'deleted',
  'memory.restored': 'restored',
  'association.created': 'associated',
  'association.updated': 'association changed',
  'entity.merged': 'entity merged',
  'key.created': 'key made',
  'key.rotated': 'key rotated',
  'key.revoked': 'key revoked',
};

/** What the feed and the live stream have of an event. */
export type Change = Happening & { readonly time: string; readonly position: number };

export type Changes = {
  readonly events: readonly Change[] | null;
  readonly problem: Problem | null;
};

/** `onChange`: called for each event of the journal, of any type. */
export function useChanges(onChange: () => void): Changes {
  const [events, setEvents] = useState<readonly Change[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const given = useObservable(tokens);
  useEffect(() => {
    let isEnded = false;
    const add = (found: readonly Change[]): void => {
      if (isEnded) return;
      for (const each of found) keepWords(each);
      setEvents((old) => newest([...(old ?? []), ...found]));
    };
    setEvents(null);
    setProblem(null);
    void readLatest().then((result) => {
      if (isEnded) return;
      if (Array.isArray(result)) add(result as readonly Change[]);
      else setProblem(result as Problem);
    });
    const end = watchStream({
      onOpen: () => undefined,
      onFrame: ({ id, data }) => {
        if (id === null) return; // activity
        add([data as Change]);
        onChange();
      },
      // The reading of the journal reports a missing scope, and the console itself a lost service.
      onCut: () => undefined,
    });
    return () => {
      isEnded = true;
      end();
    };
  }, [given]);
  return { events, problem };
}

async function readLatest(): Promise<readonly Change[] | Problem> {
  const first = await call('listEvents', { query: { limit: 1 } });
  if (!first.ok) return first.problem;
  // A position in a cursor follows the name of the history; a plain number is a position of the present one.
  const head = Number(first.body.head.split('.').at(-1));
  let events: readonly Change[] = [];
  for (const positions of READ_BACK) {
    const query = { after: Math.max(0, head - positions), type: Object.keys(WORDS), limit: positions };
    const latest = await call('listEvents', { query });
    if (!latest.ok) return latest.problem;
    events = latest.body.events as readonly Change[];
    if (events.length >= SHOWN || positions >= head) break;
  }
  return events;
}

function newest(events: readonly Change[]): readonly Change[] {
  const byPosition = new Map(events.filter(({ type }) => type in WORDS).map((event) => [event.position, event]));
  return [...byPosition.values()].sort((one, other) => other.position - one.position).slice(0, SHOWN);
}

export function LatestChanges({ events }: Pick<Changes, 'events'>) {
  if (events === null) return null;
  return (
    <section class="panel" aria-labelledby="changes-title">
      <h2 id="changes-title">Latest changes</h2>
      {events.length === 0 && <Empty>No caller has changed anything lately.</Empty>}
      <ol class="lines">
        {events.map((event) => (
          <li key={event.position}>
            <Time at={event.time} /> <span class="chip">{WORDS[event.type]}</span> <EventWords event={event} />
          </li>
        ))}
      </ol>
      <p class="facts">
        <a href={hrefOf('live')}>Live</a> shows every event as it happens.
      </p>
    </section>
  );
}
