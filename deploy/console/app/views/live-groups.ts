/** Groups the lines of the live view: those that one request caused are one group. Pure. */
import type { Frame } from '../service/frame.js';

export type Line = {
  readonly number: number;
  readonly at: string;
  /** Null for a line about the stream itself. */
  readonly frame: Frame | null;
  readonly note: string | null;
};

/** The first line is the oldest: the cause of the others. */
export type Group = readonly [Line, ...Line[]];

/** What a frame has of these depends on its type. */
type Traced = {
  readonly id?: unknown;
  readonly subject?: unknown;
  readonly correlationid?: unknown;
  readonly causationid?: unknown;
  readonly traceparent?: unknown;
  readonly memory_id?: unknown;
};

/**
 * `lines`: the newest first; so are the groups, by their oldest line. An event belongs to the event that caused it, or
 * else to its request or its trace; activity has neither, and belongs to the newest group of its memory.
 */
export function groupLines(lines: readonly Line[]): readonly Group[] {
  const groups: [Line, ...Line[]][] = [];
  const byKey = new Map<string, [Line, ...Line[]]>();
  for (const line of lines.toReversed()) {
    const { own, joins } = keysOf(line);
    const found = joins.map((key) => byKey.get(key)).find((group) => group !== undefined);
    const group: [Line, ...Line[]] = found ?? [line];
    if (found === undefined) groups.push(group);
    else found.push(line);
    for (const key of own) byKey.set(key, group);
  }
  return groups.reverse();
}

/** `joins`: by which it finds its group. `own`: by which later lines find the group. */
function keysOf({ frame }: Line): { readonly own: readonly string[]; readonly joins: readonly string[] } {
  if (frame === null) return { own: [], joins: [] };
  const { id, subject, correlationid, causationid, traceparent, memory_id } = (frame.data ?? {}) as Traced;
  if (frame.id === null) return { own: [], joins: key('memory', memory_id ?? id) };
  const trace = typeof traceparent === 'string' ? traceparent.split('-')[1] : undefined;
  // What work in the background writes has the request of its batch, in which the events have different causes.
  const joins =
    typeof causationid === 'string'
      ? key('event', causationid)
      : [...key('request', correlationid), ...key('trace', trace)];
  return { own: [...joins, ...key('event', id), ...key('memory', subject)], joins };
}

function key(kind: string, value: unknown): readonly string[] {
  return typeof value === 'string' && value !== '' ? [`${kind} ${value}`] : [];
}
