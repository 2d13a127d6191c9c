/** The statements over `outbox`, which the relay and the readers of its depth run. */
import { headOf, NO_ROWS, rows, type SimulatedStatement, type SimulatedStatements, sortedBy } from '../statement.js';
import type { Rows, View } from '../tables.js';
import { commitLetters, heldLetters, positionsOfEvents } from './pending.js';

type Keys = ReadonlyMap<string, number>;

/** The first position of each partition key. */
function firstOf(items: readonly { readonly partition_key: string; readonly position: number }[]): Keys {
  const since = new Map<string, number>();
  for (const { partition_key: key, position } of items) since.set(key, Math.min(since.get(key) ?? Infinity, position));
  return since;
}

const keyOf = (view: View, position: number): string => view.get('journal', position)?.partition_key ?? '';

function deadKeys(view: View): Keys {
  const letters = heldLetters(view).filter(({ position }) => view.get('journal', position) !== undefined);
  return firstOf(letters.map(({ position }) => ({ partition_key: keyOf(view, position), position })));
}

const page: SimulatedStatement = ({ view, params }) => {
  const [after, limit, listed, bound] = params as [number, number, readonly number[], number];
  const list = new Set(listed);
  const all = sortedBy(view.all('outbox'), ({ position }) => position);
  const above = all.filter(({ position }) => position > after).slice(0, limit);
  const waiting = [
    ...all.filter(({ position }) => list.has(position)).map((row) => ({ ...row, is_listed: true })),
    ...above.map((row) => ({ ...row, is_listed: false })),
  ];
  const pending = view.all('outbox_pending');
  const held = firstOf([
    ...pending.filter(({ position }) => list.has(position) || position > bound),
    ...[...deadKeys(view)].map(([key, position]) => ({ partition_key: key, position })),
  ]);
  const head = headOf(view);
  const found = waiting.flatMap(({ position, is_listed }) => {
    const event = view.get('journal', position);
    if (!event) return [];
    const { partition_key } = event;
    const bytes = event.data === null ? 0 : Buffer.byteLength(event.data);
    return [
      { head, position, is_listed, partition_key, bytes, is_held: (held.get(partition_key) ?? Infinity) <= position },
    ];
  });
  const nothing = { head, position: null, is_listed: null, partition_key: null, bytes: null, is_held: null };
  return rows(found.length > 0 ? sortedBy(found, ({ position }) => position) : [nothing]);
};

/** Whether no event of the keys holds the row back. */
const isFree =
  (view: View, keys: Keys) =>
  ({ position }: Rows['outbox']): boolean =>
    (keys.get(keyOf(view, position)) ?? Infinity) > position;

const HELD_AFTER_MS = 1_000;

const lookAtOutbox: SimulatedStatement = ({ view, params, now }) => {
  const [bound, list, capacity] = params as [number, readonly number[], number];
  const head = headOf(view);
  const start = bound > head ? 0 : bound;
  const dead = deadKeys(view);
  const failed = view.all('outbox_pending').filter(({ attempts }) => attempts > 0);
  const passed = firstOf([...failed, ...[...dead].map(([key, position]) => ({ partition_key: key, position }))]);
  const all = sortedBy(view.all('outbox'), ({ position }) => position);
  const listed = all.filter(({ position }) => list.includes(position) && position <= start);
  const above = all.filter(({ position }) => position > start);
  const page = above.slice(0, capacity);
  const live = [...listed, ...above].filter(isFree(view, dead));
  const awaited = [...listed, ...above].find(isFree(view, passed));
  const oldest = Math.min(...live.map(({ recorded_at: at }) => at));
  return rows([
    {
      head,
      start,
      young: page.find(({ recorded_at: at }) => at > now - HELD_AFTER_MS)?.position ?? null,
      awaited: awaited?.position ?? null,
      oldest_ms: live.length === 0 ? 0 : now - oldest,
      listed: listed.map(({ position }) => position),
      page: page.map(({ position }) => position),
    },
  ]);
};

const depth: SimulatedStatement = ({ view, params, now }) => {
  const [bound, list, pendingBound] = params as [number, readonly number[], number];
  const letters = heldLetters(view);
  const firstDead = Math.min(...deadKeys(view).values());
  return rows([
    {
      waiting: view.all('outbox').filter(({ position }) => position > bound || list.includes(position)).length,
      pending: view.all('outbox_pending').filter(({ position, attempts }) => attempts > 0 || position > pendingBound)
        .length,
      dead: letters.length,
      oldest_dead_ms: now - (view.get('journal', firstDead)?.recorded_at ?? now),
    },
  ]);
};

export const OUTBOX: SimulatedStatements = {
  'journal.outbox_page': page,
  'journal.outbox_events': ({ view, params: [positions] }) =>
    rows(
      sortedBy(
        (positions as readonly number[]).flatMap((position) => view.get('journal', position) ?? []),
        ({ position }) => position,
      ),
    ),
  'journal.outbox_published': (scope) => {
    for (const position of positionsOfEvents(scope)) scope.view.remove('outbox', position);
    return NO_ROWS;
  },
  'journal.look_at_outbox': lookAtOutbox,
  'journal.outbox_depth': depth,
  'journal.unapplied_events': ({ view, params: [positions] }) => {
    const wanted = new Set(positions as readonly number[]);
    const found = [...view.all('outbox_pending'), ...commitLetters(view)];
    return rows(found.filter(({ position }) => wanted.has(position)).map(({ position }) => ({ position })));
  },
  'journal.next_epoch': ({ view }) => {
    const epoch = (view.get('relay_epoch', 1)?.epoch ?? 0) + 1;
    view.put('relay_epoch', 1, { epoch });
    return rows([{ epoch }]);
  },
};
