/**
 * The tables of the simulated Postgres, and the view that one transaction has of them: what is committed now, and its
 * own changes. A commit returns how to undo it, so that the database can go back to an earlier state.
 */

export type JournalRow = {
  readonly position: number;
  readonly event_id: string;
  readonly type: string;
  readonly subject: string;
  readonly partition_key: string;
  readonly version: number;
  readonly data: string | null;
  readonly recorded_at: number;
  /** The other columns of an event. */
  readonly [column: string]: unknown;
};

export type Rows = {
  readonly subjects: {
    readonly subject: string;
    readonly version: number;
    readonly revision: number;
    readonly present: boolean;
  };
  readonly association_ends: { readonly memory_id: string; readonly subject: string };
  readonly journal: JournalRow;
  readonly outbox: { readonly position: number; readonly recorded_at: number };
  readonly outbox_pending: {
    readonly position: number;
    readonly partition_key: string;
    readonly subject: string;
    readonly command_id: string;
    readonly owner: string;
    readonly lease_until: number;
    readonly attempts: number;
    readonly next_attempt_at: number | null;
    readonly last_error: string | null;
  };
  readonly command_keys: {
    readonly key: string;
    readonly request_hash: string;
    readonly first_position: number;
    readonly last_position: number;
    readonly at: number;
  };
  readonly unanswered: {
    readonly command_id: string;
    readonly fingerprint: string;
    readonly owner: string | null;
    readonly first_position: number;
    readonly last_position: number;
    readonly at: number;
  };
  readonly dead_letters: {
    readonly id: number;
    readonly projector: string;
    readonly event_id: string;
    readonly subject: string;
    readonly type: string;
    readonly version: number;
    readonly position: number;
    readonly reason: string;
    readonly attempts: number;
    readonly at: string;
    readonly awaits_redrive: boolean;
  };
  readonly embedding_cache: { readonly ref: string; readonly vector: Uint8Array };
  readonly embedding_uses: { readonly memory_id: string; readonly ref: string };
  readonly erasures: { readonly memory_id: string; readonly until: number; readonly after: string };
  readonly journal_identity: {
    readonly id: string;
    readonly has_marked_graph: boolean;
    readonly graph_behind_from: number | null;
    readonly lost_position: number | null;
    readonly lost_event_id: string | null;
    readonly rebuild_progress: string | null;
    readonly rebuild_at: number | null;
  };
  readonly relay_epoch: { readonly epoch: number };
  readonly projector_states: {
    readonly name: string;
    readonly instance: string;
    readonly state: string;
    readonly heartbeat_at: number;
  };
  readonly topic_records: {
    readonly topic: string;
    readonly generation: number;
    readonly ends: readonly string[];
    readonly partitions: number;
  };
};

export type TableName = keyof Rows;
export type Key = string | number;
type Change = { readonly table: TableName; readonly key: Key; readonly row: Rows[TableName] | undefined };

/** What one transaction sees and changes. */
export interface View {
  readonly get: <T extends TableName>(table: T, key: Key) => Rows[T] | undefined;
  /** All rows, in no promised order. */
  readonly all: <T extends TableName>(table: T) => readonly Rows[T][];
  readonly put: <T extends TableName>(table: T, key: Key, row: Rows[T]) => void;
  readonly remove: (table: TableName, key: Key) => void;
}

export interface Tables {
  readonly view: () => View & {
    /** Makes the changes visible to all. Returns the changes that undo them, the last first. */
    readonly commit: () => readonly Change[];
  };
  readonly undo: (changes: readonly Change[]) => void;
  /** The tables that ever had a row. */
  readonly names: () => readonly TableName[];
  /** Committed rows. */
  readonly count: (table: TableName) => number;
}

export function createTables(): Tables {
  const committed = new Map<TableName, Map<Key, Rows[TableName]>>();

  function tableOf(name: TableName): Map<Key, Rows[TableName]> {
    let table = committed.get(name);
    if (!table) committed.set(name, (table = new Map<Key, Rows[TableName]>()));
    return table;
  }
  function write({ table, key, row }: Change): void {
    if (row === undefined) tableOf(table).delete(key);
    else tableOf(table).set(key, row);
  }

  return {
    undo: (changes) => changes.forEach(write),
    names: () => [...committed.keys()],
    count: (name) => tableOf(name).size,
    view: () => {
      const changed = new Map<TableName, Map<Key, Rows[TableName] | undefined>>();
      const change = (table: TableName, key: Key, row: Rows[TableName] | undefined): void => {
        let own = changed.get(table);
        if (!own) changed.set(table, (own = new Map<Key, Rows[TableName] | undefined>()));
        own.set(key, row);
      };
      return {
        // The casts are safe: `put` takes only rows of the table.
        get: <T extends TableName>(table: T, key: Key) => {
          const own = changed.get(table);
          return (own?.has(key) ? own.get(key) : tableOf(table).get(key)) as Rows[T] | undefined;
        },
        all: <T extends TableName>(table: T) => {
          const own = changed.get(table);
          if (!own || own.size === 0) return [...tableOf(table).values()] as Rows[T][];
          const rows = new Map<Key, Rows[TableName] | undefined>([...tableOf(table), ...own]);
          return [...rows.values()].filter((row) => row !== undefined) as Rows[T][];
        },
        put: change,
        remove: (table, key) => change(table, key, undefined),
        commit: () => {
          const undone: Change[] = [];
          for (const [table, own] of changed)
            for (const [key, row] of own) {
              undone.push({ table, key, row: tableOf(table).get(key) });
              write({ table, key, row });
            }
          changed.clear();
          return undone.reverse();
        },
      };
    },
  };
}
