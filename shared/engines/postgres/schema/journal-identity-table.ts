/** The table with the one row that identifies this journal. A copy of the journal keeps it. */
export const JOURNAL_IDENTITY = `
  CREATE TABLE journal_identity (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    has_marked_graph boolean NOT NULL DEFAULT false
  );
  INSERT INTO journal_identity DEFAULT VALUES;`;

/** The position after which the graph lacks events, and the progress of its rebuild. The query API reads them for health. */
export const GRAPH_REBUILD = `
  ALTER TABLE journal_identity
    ADD COLUMN graph_behind_from bigint,
    ADD COLUMN rebuild_progress text,
    ADD COLUMN rebuild_at timestamptz;`;
