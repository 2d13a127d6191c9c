/** The types of the GET /recall tables: memories to store, and rows with one expected fact about a reply each. */
import type { Pattern } from './pattern.js';

/** In each text of a row, `{name}` is replaced by the id of the memory with that name in the same scope. */
export type Row = {
  readonly fact: string;
  /** The parameter or alias that the row tests. */
  readonly parameter?: string;
  /** The query string, or several with the same expectation. */
  readonly ask: string | readonly string[];
  /** The names of all results, in order. */
  readonly finds?: readonly string[];
  /** The names of all results, in any order. */
  readonly findsAll?: readonly string[];
  /** Parts of the reply. Other parts may be present too. */
  readonly shows?: Pattern | undefined;
  /** A recall with the same results, order and scores. */
  readonly sameAs?: string;
  /** A recall with another reply, which proves that the parameter has an effect. */
  readonly differsFrom?: string;
  /** The beginning of the message of a 400. */
  readonly rejects?: string;
  /** The engine that is down during the recall. */
  readonly without?: 'graph' | 'vectors' | 'embedder';
  readonly status?: number;
};

/** The body of POST /memory. The scope of the table is added to the tags. */
export type Stored = { readonly content: string; readonly tags?: readonly string[]; readonly [field: string]: unknown };

export type Table = {
  /** The subject of the rows, which begins their test titles. */
  readonly subject: string;
  /** A tag that exactly the memories of this scope have. Tables with the same scope share their memories. */
  readonly scope: string;
  readonly memories?: Readonly<Record<string, Stored>>;
  /** Created one after the other, so that the last one is the newest. */
  readonly associations?: readonly (readonly [
    from: string,
    type: string,
    to: string,
    strength: number,
    properties?: Readonly<Record<string, unknown>>,
  ])[];
  readonly rows: readonly Row[];
  /** The environment of the service. Tables with the same variables share a service. */
  readonly variables?: Readonly<Record<string, string>>;
};
