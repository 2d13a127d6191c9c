/** One spelling for what people write in several, pure, so that the readers of time phrases know only that one. */
const UNITS: Readonly<Record<string, string>> = {
  min: 'minutes',
  mins: 'minutes',
  h: 'hours',
  hr: 'hours',
  hrs: 'hours',
  d: 'days',
  w: 'weeks',
  wk: 'weeks',
  wks: 'weeks',
  y: 'years',
  yr: 'years',
  yrs: 'years',
};

/** Lower case, single blanks, whole units (`24h` is `24 hours`; `m` is left, it may be either), `2024/03/05` as `2024-03-05`. */
export function plainPhrase(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(
      /\b(\d+) ?(mins?|h|hrs?|d|w|wks?|y|yrs?)\b/gu,
      (_, count: string, unit: string) => `${count} ${UNITS[unit]}`,
    )
    .replace(/\b(?:a )?couple (?:of )?/gu, 'two ')
    .replace(/\b(\d{4})\/(\d\d)\/(\d\d)\b/gu, '$1-$2-$3');
}
