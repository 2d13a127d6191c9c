/** The schema of one room: step i brings it from version i to i + 1. Steps that were released once never change. */
export type Migrations = { readonly room: string; readonly steps: readonly string[] };
