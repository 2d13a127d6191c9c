/** Computes the token cost of recall answers, and the share of the evidence that a model reads in them. */
import { estimateTokens } from '../../../../deploy/mcp/recall/token-budget.js';
import { summarize, tableLines } from '../../measuring/timing.js';
import { mean, percent } from '../../quality/figures.js';

/** Depths of reading: estimated tokens from the beginning of an answer's text. */
export const DEPTHS = [2_000, 4_000] as const;

/** The figures of one question in one format. */
export type TokenMeasurement = {
  readonly format: string;
  readonly textTokens: number;
  readonly structuredTokens: number;
  /** The share of the evidence within each depth, and within the whole text. */
  readonly read: readonly number[];
};

/** This much of a memory's content identifies it; every preview is at least as long. */
const OPENING_CHARACTERS = 60;

export function readWithin(
  text: string,
  sought: readonly { readonly id: string; readonly words: string }[],
): readonly number[] {
  return [...DEPTHS, Infinity].map((depth) => {
    const read = beginningOf(text, depth);
    return (
      sought.filter(({ id, words }) => read.includes(id) && read.includes(openingOf(words))).length / sought.length
    );
  });
}

/** A table in lines, a row for each format. */
export function tokenLines(asked: readonly TokenMeasurement[]): readonly string[] {
  const depths = [...DEPTHS.map((depth) => `read@${depth}`), 'read@all'];
  const head = ['format', 'recalls', 'text mean', 'text p95', 'both mean', 'both p95', ...depths];
  const sizes = (tokens: readonly number[]) => [Math.round(mean(tokens)), summarize(tokens).p95];
  const rows = [...new Set(asked.map(({ format }) => format))].map((format) => {
    const members = asked.filter((one) => one.format === format);
    const text = sizes(members.map(({ textTokens }) => textTokens));
    const both = sizes(members.map(({ textTokens, structuredTokens }) => textTokens + structuredTokens));
    const read = depths.map((_, index) => percent(mean(members.map((one) => one.read[index] ?? 0))));
    return [format, members.length, ...text, ...both, ...read].map(String);
  });
  return tableLines([head, ...rows]);
}

function beginningOf(text: string, tokens: number): string {
  let characters = Math.min(text.length, tokens * 3);
  while (estimateTokens(characters) > tokens) characters -= 1;
  return text.slice(0, characters);
}

/**
 * The part before the first quote, backslash or line end: JSON escapes these, so only this part is the same in every
 * format.
 */
function openingOf(words: string): string {
  return (
    words
      .slice(0, OPENING_CHARACTERS)
      .split(/["\\\n]/u, 1)[0]
      ?.trim() ?? ''
  );
}
