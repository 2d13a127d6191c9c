/** An event or a frame of activity in words, with the first words of the memories that it concerns. */
import { hrefOf } from '../service/route.js';
import { call, memoryId, type Result } from '../service/service.js';
import { tokens } from '../service/session.js';
import { useRead } from '../service/use-read.js';
import { count, MemoryLink, shorten, Subject } from './basics.js';

const CONTENT_LENGTH = 120;
const END_LENGTH = 60;
/** Memories whose words are kept. */
const KEPT = 500;
/** Versions that are read for the words of one memory; a later one is not needed for them. */
const VERSIONS = 50;

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

/** What the feed, the live stream and its activity have. All fields of `data` may be missing. */
export type Happening = {
  readonly type: string;
  readonly subject?: string;
  readonly data?: {
    readonly memory?: { readonly content: string };
    readonly changed?: readonly string[];
    readonly entity?: { readonly name: string; readonly slug: string };
    readonly key?: { readonly name: string };
  };
};

/** By the id of the memory; the newest are last. */
const kept = new Map<string, string>();
// Another token may not see them.
tokens.follow(() => kept.clear());

/** The words of the memory are then shown wherever it is named. */
export function keepWords({ subject, data }: Happening): void {
  if (subject !== undefined && data?.memory !== undefined) keep(subject, data.memory.content);
}

function keep(id: string, content: string): void {
  kept.delete(id);
  kept.set(id, shorten(content, CONTENT_LENGTH));
  for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest);
}

/** The first words of a memory as a link. Reads its history when no event had them, which counts as no access. */
export function MemoryWords({ id, length = END_LENGTH }: { readonly id: string; readonly length?: number }) {
  const known = kept.get(id);
  useRead(known === undefined ? `words of ${id}` : null, async (signal): Promise<Result<null>> => {
    const result = await call('listHistory', { params: { id: memoryId(id) }, query: { limit: VERSIONS }, signal });
    const content = result.ok ? result.body.versions.findLast(({ memory }) => memory !== null)?.memory?.content : null;
    keep(id, content ?? `memory ${id.slice(0, 8)}`);
    return { ok: true, body: null, headers: new Headers() };
  });
  return <MemoryLink id={id}>{shorten(kept.get(id) ?? `memory ${id.slice(0, 8)}`, length)}</MemoryLink>;
}

export function EventWords({ event }: { readonly event: Happening }) {
  const { type, subject = '', data } = event;
  const { memory, changed = [], entity, key } = data ?? {};
  const fields = FIELDS.filter((name) => changed.includes(name));
  if (memory !== undefined)
    return (
      <>
        {type === 'memory.updated' && fields.length > 0 && `${fields.join(', ')} of `}
        <MemoryLink id={subject}>{shorten(memory.content, CONTENT_LENGTH)}</MemoryLink>
      </>
    );
  if (entity !== undefined) return <a href={hrefOf('entities', entity.slug)}>{entity.name}</a>;
  if (key !== undefined) return key.name;
  const [source = '', relation, target = ''] = subject.split('|');
  if (relation !== undefined)
    return (
      <>
        <MemoryWords id={source} /> {relation} <MemoryWords id={target} />
      </>
    );
  if (type.startsWith('memory.') && subject !== '') return <MemoryWords id={subject} />;
  return subject === '' ? null : <Subject name={subject} />;
}

/** Frames without a position: what the service does, and what nothing keeps. */
export type Activity = {
  readonly id?: string;
  readonly memory_id?: string;
  readonly content_preview?: string;
  readonly query?: string;
  readonly result_count?: number;
  readonly elapsed_ms?: number;
  readonly error?: string;
  readonly webhook_id?: string;
};

export function ActivityWords({ activity }: { readonly activity: Activity }) {
  const { query, result_count: results = 0, elapsed_ms: ms, webhook_id: webhook, error } = activity;
  const memory = activity.memory_id ?? activity.id;
  const took = ms === undefined ? '' : ` in ${ms.toLocaleString('en', { maximumFractionDigits: 1 })} ms`;
  if (query !== undefined)
    return (
      <>
        <a href={hrefOf('recall', null, { query })}>{query}</a>: {count(results, 'result')}
        {took}
      </>
    );
  if (webhook !== undefined) return <a href={hrefOf('webhooks', webhook)}>{webhook}</a>;
  if (memory === undefined) return null;
  return (
    <>
      {activity.content_preview === undefined ? (
        <MemoryWords id={memory} />
      ) : (
        <MemoryLink id={memory}>{activity.content_preview}</MemoryLink>
      )}
      {took}
      {error !== undefined && `: ${error}`}
    </>
  );
}
