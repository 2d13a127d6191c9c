/** The tables of the vector spaces. */
import type { Migrations } from '../threads/database.js';

export const spaceMigrations: Migrations = {
  component: 'vector_spaces',
  steps: [
    `CREATE TABLE vector_spaces (
       number INTEGER PRIMARY KEY AUTOINCREMENT,
       state TEXT NOT NULL,
       model TEXT NOT NULL,
       dimension INTEGER NOT NULL,
       target TEXT,
       position INTEGER NOT NULL
     );
     -- One space of each state.
     CREATE UNIQUE INDEX vector_spaces_state ON vector_spaces (state);`,
  ],
};
