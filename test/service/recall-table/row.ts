/** What the tables of GET /recall are made of: memories to store, and rows of which each is one fact about an answer. Types only. */
import type { Pattern } from './pattern.js';

/** In every text of a row `{name}` stands for the id of the memory of that name in the same scope. */
export type Row = {
  readonly fact: string;
  /** The parameter, or the other name of one, that the row is about. */
  readonly of?: string;
  /** The query string, or several for which the same holds. */
  readonly ask: string | readonly string[];
  /** The names of all results, in order. */
  readonly finds?: readonly string[];
  /** The same, in any order. */
  readonly findsAll?: readonly string[];
  /** What the answer holds, beside anything else. */
  readonly shows?: Pattern;
  /** A recall with the same results, order and scores. */
  readonly sameAs?: string;
  /** A recall with others: what was asked for matters. */
  readonly differsFrom?: string;
  /** The beginning of the message of a 400. */
  readonly refuses?: string;
  /** What does not answer meanwhile. */
  readonly without?: 'graph' | 'vectors' | 'embedder';
  readonly status?: number;
};

/** The body of POST /memory; the scope of the table joins the tags. */
export type Stored = { readonly content: string; readonly tags?: readonly string[]; readonly [field: string]: unknown };

export type Table = {
  /** What the rows are about, in words. */
  readonly subject: string;
  /** A tag that all memories of the table have, and those of no other scope. Tables with one scope share their memories. */
  readonly scope: string;
  readonly memories?: Readonly<Record<string, Stored>>;
  /** From, type, to, strength: made one after the other, so that the last is the newest. */
  readonly associations?: readonly (readonly [
    from: string,
    type: string,
    to: string,
    strength: number,
    properties?: Readonly<Record<string, unknown>>,
  ])[];
  readonly rows: readonly Row[];
  /** The environment of the service; tables with the same share a store. */
  readonly variables?: Readonly<Record<string, string>>;
};
