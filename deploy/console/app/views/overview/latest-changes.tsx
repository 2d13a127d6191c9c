/** The latest changes by callers in words: first from the journal, then from the live stream. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Empty, MemoryLink, shorten, Subject, Time } from '../../parts/basics.js';
import { watchStream } from '../../service/event-stream.js';
import { useObservable } from '../../service/observable.js';
import { hrefOf } from '../../service/route.js';
import { call, type Problem } from '../../service/service.js';
import { tokens } from '../../service/session.js';

const SHOWN = 8;
/** Positions before the end of the journal that are read. Most events between changes are those of enrichment. */
const READ_BACK = 40;
const CONTENT_LENGTH = 120;
const END_LENGTH = 60;
/** Memories whose content is kept for the associations that come after them. */
const CONTENTS_LIMIT = 500;
/** Fields that a caller changes; the others follow from them. */
const FIELDS: readonly string[] = [
  'content',
  'type',
  'tags',
  'importance',
  'confidence',
  'metadata',
  't_valid',
  't_invalid',
];

/** Only changes by callers; the Live view has every event. */
const WORDS: Readonly<Record<string, string>> = {
  'memory.stored': 'stored',
  'memory.updated': 'changed',
  'memory.deleted': 'deleted',
  'memory.restored': 'restored',
  'association.created': 'associated',
  'association.updated': 'association changed',
  'entity.merged': 'entity merged',
};

/** What the feed and the live stream have of an event. */
export type Change = {
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly position: number;
  readonly data?: {
    readonly memory?: { readonly content: string };
    readonly changed?: readonly string[];
  };
};

export type Changes = {
  readonly events: readonly Change[] | null;
  /** By the id of the memory, shortened, as far as an event has it. */
  readonly contents: ReadonlyMap<string, string>;
  readonly problem: Problem | null;
};

/** `onChange`: called for each event of the journal, of any type. */
export function useChanges(onChange: () => void): Changes {
  const [events, setEvents] = useState<readonly Change[] | null>(null);
  const contents = useRef(new Map<string, string>());
  const [problem, setProblem] = useState<Problem | null>(null);
  const given = useObservable(tokens);
  useEffect(() => {
    let isEnded = false;
    const add = (found: readonly Change[]): void => {
      if (isEnded) return;
      for (const { subject, data } of found)
        if (data?.memory !== undefined) {
          contents.current.delete(subject); // the newest are last
          contents.current.set(subject, shorten(data.memory.content, CONTENT_LENGTH));
        }
      for (const id of [...contents.current.keys()].slice(0, -CONTENTS_LIMIT)) contents.current.delete(id);
      setEvents((old) => newest([...(old ?? []), ...found]));
    };
    contents.current.clear();
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
  return { events, contents: contents.current, problem };
}

async function readLatest(): Promise<readonly Change[] | Problem> {
  const first = await call('listEvents', { query: { limit: 1 } });
  if (!first.ok) return first.problem;
  // A position in a cursor follows the name of the history; a plain number is a position of the present one.
  const head = Number(first.body.head.split('.').at(-1));
  const latest = await call('listEvents', { query: { after: Math.max(0, head - READ_BACK), limit: READ_BACK } });
  return latest.ok ? (latest.body.events as readonly Change[]) : latest.problem;
}

function newest(events: readonly Change[]): readonly Change[] {
  const byPosition = new Map(events.filter(({ type }) => type in WORDS).map((event) => [event.position, event]));
  return [...byPosition.values()].sort((one, other) => other.position - one.position).slice(0, SHOWN);
}

export function LatestChanges({ events, contents }: Omit<Changes, 'problem'>) {
  if (events === null) return null;
  return (
    <section class="panel" aria-labelledby="changes-title">
      <h2 id="changes-title">Latest changes</h2>
      {events.length === 0 && <Empty>No caller has changed anything lately.</Empty>}
      <ol class="lines">
        {events.map((event) => (
          <li key={event.position}>
            <Time at={event.time} /> <span class="chip">{WORDS[event.type]}</span>{' '}
            <InWords change={event} contents={contents} />
          </li>
        ))}
      </ol>
      <p class="facts">
        <a href={hrefOf('live')}>Live</a> shows every event as it happens.
      </p>
    </section>
  );
}

type WordsProps = { readonly change: Change } & Pick<Changes, 'contents'>;

function InWords({ change: { type, subject, data }, contents }: WordsProps) {
  const { memory, changed = [] } = data ?? {};
  const fields = FIELDS.filter((name) => changed.includes(name));
  if (memory !== undefined)
    return (
      <>
        {type === 'memory.updated' && fields.length > 0 && `${fields.join(', ')} of `}
        <MemoryLink id={subject}>{shorten(memory.content, CONTENT_LENGTH)}</MemoryLink>
      </>
    );
  const [source = '', relation, target = ''] = subject.split('|');
  if (relation === undefined) return <Subject name={subject} />;
  const end = (id: string) => (
    <MemoryLink id={id}>{shorten(contents.get(id) ?? `memory ${id.slice(0, 8)}`, END_LENGTH)}</MemoryLink>
  );
  return (
    <>
      {end(source)} {relation} {end(target)}
    </>
  );
}
