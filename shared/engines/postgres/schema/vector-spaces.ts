/** The tables of the vector spaces. */
import type { Migrations } from '../connection/postgres.js';

export const spaceMigrations: Migrations = {
  component: 'vector_spaces',
  steps: [
    `CREATE TABLE vector_spaces (
       number integer PRIMARY KEY,
       state text NOT NULL,
       model text NOT NULL,
       dimension integer NOT NULL,
       target text,
       position bigint NOT NULL
     );
     -- A number is never used again: a process that notices a switch late must not find another index under it.
     CREATE SEQUENCE vector_space_numbers START 2;
     -- One space of each state. Checked at the end of a statement, so that one statement can exchange two states.
     ALTER TABLE vector_spaces ADD CONSTRAINT vector_spaces_state UNIQUE (state) DEFERRABLE INITIALLY IMMEDIATE;
     CREATE TABLE vector_space_followers (
       instance text PRIMARY KEY,
       number integer NOT NULL,
       at timestamptz NOT NULL
     );`,
  ],
};
