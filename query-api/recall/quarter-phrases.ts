/** Quarters by their number: `q3`, `last q3`, `q3 2024`, `2024-q3`, `third quarter of 2024`. */
import { addUnits, periodAt, quarterOf, startOf, type Span } from './calendar.js';

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** Without a year the latest one that has begun; `last q3` the latest before this quarter. Null for what names no quarter. */
export function readQuarter(phrase: string, now: Date): Span | null {
  const named = readNamed(phrase);
  if (!named) return null;
  const { quarter, year, isPast } = named;
  if (year !== null)
    return periodAt('quarter', new Date(`${year}-${String(quarter * 3 + 1).padStart(2, '0')}-01T00:00:00Z`));
  const back = (quarterOf(now) - quarter + 4) % 4;
  return periodAt('quarter', addUnits(startOf('quarter', now), 'quarter', -(isPast && back === 0 ? 4 : back)));
}

type Named = { /** 0 to 3. */ readonly quarter: number; readonly year: string | null; readonly isPast: boolean };

function readNamed(phrase: string): Named | null {
  const turned = /^(\d{4})[ /-]?(q[1-4])$/u.exec(phrase);
  const match =
    /^(?:(last|past|this) )?(?:q([1-4])|(?:(first|second|third|fourth)|([1-4])(?:st|nd|rd|th)) quarter)(?:(?: of|,)? (\d{4})|[/-](\d{4}))?$/u.exec(
      turned ? `${turned[2]} ${turned[1]}` : phrase,
    );
  if (!match) return null;
  const [, which, short, ordinal, figure, year, joinedYear] = match;
  const quarter = ordinal === undefined ? Number(short ?? figure) - 1 : ORDINALS.indexOf(ordinal);
  return { quarter, year: year ?? joinedYear ?? null, isPast: which === 'last' || which === 'past' };
}
