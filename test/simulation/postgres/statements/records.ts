/** The statements of dead letters, heartbeats and topic records, as far as the simulation runs them. */
import { NO_ROWS, rows, type SimulatedStatements, sortedBy, sortedByText } from '../statement.js';
import type { Rows } from '../tables.js';

type Letter = Rows['dead_letters'];

export const RECORDS: SimulatedStatements = {
  'journal.add_letter': ({ view, params, next }) => {
    const [projector, event_id, subject, type, version, position, reason, attempts, at] = params as [
      string,
      string,
      string,
      string,
      number,
      number,
      string,
      number,
      string,
    ];
    const known = view
      .all('dead_letters')
      .find((letter) => letter.projector === projector && letter.event_id === event_id);
    // An upsert takes a value of the sequence also where the row exists.
    const made = next('dead_letter_id');
    const id = known?.id ?? made;
    const changed = { reason, attempts, at, awaits_redrive: false };
    view.put('dead_letters', id, {
      ...(known ?? { id, projector, event_id, subject, type, version, position }),
      ...changed,
    });
    return NO_ROWS;
  },
  'journal.take_redrives': ({ view, params: [projector, limit] }) => {
    const asked = view.all('dead_letters').filter((letter) => letter.projector === projector && letter.awaits_redrive);
    const taken = sortedBy(asked, ({ id }) => id)
      .slice(0, Number(limit))
      .map((letter): Letter => ({ ...letter, awaits_redrive: false }));
    for (const letter of taken) view.put('dead_letters', letter.id, letter);
    return rows(taken);
  },
  'journal.request_redrive': ({ view, params: [ids] }) => {
    for (const id of ids as readonly number[]) {
      const letter = view.get('dead_letters', id);
      if (letter) view.put('dead_letters', id, { ...letter, awaits_redrive: true });
    }
    return NO_ROWS;
  },
  'journal.resolve_letters': ({ view, params }) => {
    const [projector, subject, version] = params as [string, string, number];
    const resolved = view
      .all('dead_letters')
      .filter((letter) => letter.projector === projector && letter.subject === subject && letter.version <= version);
    for (const { id } of resolved) view.remove('dead_letters', id);
    return rows(resolved.map(({ id }) => ({ id })));
  },
  'journal.count_letters': ({ view, params: [projector] }) => {
    const found = view.all('dead_letters').filter((letter) => projector === null || letter.projector === projector);
    return rows([{ count: found.length }]);
  },
  'journal.latest_letters': ({ view, params }) => {
    const [projector, subjects] = params as [string, readonly string[]];
    const latest = new Map<string, number>();
    for (const { subject, version, projector: of } of view.all('dead_letters'))
      if (of === projector && subjects.includes(subject))
        latest.set(subject, Math.max(version, latest.get(subject) ?? 0));
    return rows([...latest].map(([subject, version]) => ({ subject, version })));
  },
  'journal.save_heartbeat': ({ view, params, now }) => {
    const [name, instance, state] = params as [string, string, string];
    const at = new Date(now).toISOString().replace('Z', '000+00:00');
    const stamped = `${state.slice(0, -1)},"heartbeatAt":"${at}"}`;
    view.put('projector_states', `${name} ${instance}`, { name, instance, state: stamped, heartbeat_at: now });
    return NO_ROWS;
  },
  'journal.list_heartbeats': ({ view, now }) =>
    rows(
      sortedByText(view.all('projector_states'), ({ name, instance }) => `${name} ${instance}`).map(
        ({ state, heartbeat_at: at }) => ({ state, age_ms: now - at }),
      ),
    ),
  'journal.list_paused': () => NO_ROWS,
  'stream.find_record': ({ view, params: [topic] }) => {
    const row = view.get('topic_records', String(topic));
    return row ? rows([row]) : NO_ROWS;
  },
  'stream.create_record': ({ view, params }) => {
    const [topic, ends] = params as [string, readonly string[]];
    if (!view.get('topic_records', topic))
      view.put('topic_records', topic, { topic, generation: 1, ends, partitions: ends.length });
    return NO_ROWS;
  },
  'stream.raise_record': ({ view, params }) => {
    const [topic, generation, reached] = params as [string, number, readonly string[]];
    const row = view.get('topic_records', topic);
    if (row?.generation !== generation) return NO_ROWS;
    const higher = (known: string, index: number): string => {
      const other = reached[index] ?? '0';
      return BigInt(other) > BigInt(known) ? other : known;
    };
    view.put('topic_records', topic, { ...row, ends: row.ends.map(higher) });
    return { rows: [], count: 1 };
  },
  'stream.renew_record': ({ view, params }) => {
    const [topic, generation, ends] = params as [string, number, readonly string[]];
    const row = view.get('topic_records', topic);
    if (row?.generation === generation) view.put('topic_records', topic, { ...row, generation: generation + 1, ends });
    return NO_ROWS;
  },
  'stream.note_partitions': ({ view, params: [topic, partitions] }) => {
    const row = view.get('topic_records', String(topic));
    if (row) view.put('topic_records', row.topic, { ...row, partitions: Number(partitions) });
    return NO_ROWS;
  },
};
