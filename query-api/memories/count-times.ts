/** Groups counts of dates by day, week, month or year, so that a chart of them has a bounded number of bars. Pure. */
import type { LIST_TIME_UNITS } from '../../shared/contract/queries/list-memories.js';
import type { ListFacets } from '../../shared/ports/graph-inspector.js';

type Unit = (typeof LIST_TIME_UNITS)[number];
type Times = { readonly unit: Unit; readonly counts: { readonly from: string; readonly count: number }[] };

const DAY_MS = 86_400_000;
/** The longest range in days that is counted by each unit: at most about 100 parts. */
const LONGEST = [
  ['day', 92],
  ['week', 644],
  ['month', 3_044],
] as const satisfies readonly (readonly [Unit, number])[];

/** `dates`: ascending. */
export function countTimes(dates: ListFacets['dates']): Times {
  const [first, last] = [dates[0]?.date ?? '', dates.at(-1)?.date ?? ''];
  const days = first === '' ? 0 : (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  const unit = LONGEST.find(([, longest]) => days <= longest)?.[0] ?? 'year';
  const counts = new Map<string, number>();
  for (const { date, count } of dates) {
    const from = beginOf(date, unit);
    counts.set(from, (counts.get(from) ?? 0) + count);
  }
  return { unit, counts: [...counts].map(([from, count]) => ({ from, count })) };
}

function beginOf(date: string, unit: Unit): string {
  switch (unit) {
    case 'day':
      return date;
    case 'week': {
      const time = new Date(date);
      const daysSinceMonday = (time.getUTCDay() + 6) % 7;
      return new Date(time.getTime() - daysSinceMonday * DAY_MS).toISOString().slice(0, 10);
    }
    case 'month':
      return `${date.slice(0, 7)}-01`;
    case 'year':
      return `${date.slice(0, 4)}-01-01`;
  }
}
