/** The table with the one row that identifies this journal. A copy of the journal keeps it. */
export const JOURNAL_IDENTITY = `
  CREATE TABLE journal_identity (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    has_marked_graph boolean NOT NULL DEFAULT false
  );
  INSERT INTO journal_identity DEFAULT VALUES;`;
