/** Shows a found memory in words: its content, how likely it answers, and when it was stored. */
import type { Clock } from '../../../shared/kernel/clock.js';
import { isCut, LIST, type Presentation } from '../recall/formats.js';
import type { FoundMemory } from '../recall/found.js';
import { briefItem, INDENT, indented, shortItem } from '../recall/items.js';
import { excerptOf, firstTags, timesOfMemory } from '../recall/memory-parts.js';

export function presentInWords(clock: Clock): Presentation {
  const textOf = (found: FoundMemory, number: number): string => {
    const tags = firstTags(found.memory.tags ?? []);
    const { text } = excerptOf(found.memory);
    return [
      `${number}. ${indented(text)}${tags.length === 0 ? '' : ` [${tags.join(', ')}]`}`,
      `${INDENT}${[...factsOf(found, clock.now()), `id ${found.id}`].join('; ')}`,
    ].join('\n');
  };
  return {
    ...LIST,
    show: (found, number) => ({ item: briefItem(found), text: textOf(found, number), isCut: isCut(found) }),
    showShort: (found, number) => ({ item: shortItem(found), text: textOf(found, number), isCut: true }),
  };
}

function factsOf({ memory, match_probability: probability, outside_tag_scope }: FoundMemory, now: Date): string[] {
  const { createdAt, validUntil } = timesOfMemory(memory);
  return [
    ...(probability === undefined ? [] : [`${percentOf(probability)} likely to answer`]),
    ...(createdAt === undefined ? [] : [`stored ${dayInWords(createdAt, now)}`]),
    ...(validUntil === undefined ? [] : [`holds until ${validUntil.slice(0, DAY_LENGTH)}`]),
    ...(outside_tag_scope ? ['outside the tags'] : []),
  ];
}

function percentOf(probability: number): string {
  return probability < 0.01 ? 'under 1 %' : `${Math.round(probability * 100)} %`;
}

const DAY_LENGTH = '2026-01-31'.length;
const DAY_MS = 86_400_000;
/** Each unit is used from its own length in days on. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365],
  ['month', 30],
  ['week', 7],
  ['day', 1],
];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `3 days ago (2026-11-25)`: a distance for a reader without a calendar, and the date. In UTC. */
export function dayInWords(time: string, now: Date): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return time;
  const days = Math.floor(at / DAY_MS) - Math.floor(now.getTime() / DAY_MS);
  const [unit, length] = UNITS.find(([, least]) => Math.abs(days) >= least) ?? (['day', 1] as const);
  return `${RELATIVE.format(Math.trunc(days / length), unit)} (${new Date(at).toISOString().slice(0, DAY_LENGTH)})`;
}
