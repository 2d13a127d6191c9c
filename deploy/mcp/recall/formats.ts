/** The output formats as data: how each shows a memory, and how it arranges the parts into content blocks. */
import type { FoundMemory } from './found.js';
import {
  briefItem,
  briefText,
  detailedItem,
  detailedText,
  type Item,
  shortItem,
  wholeItem,
  wholeText,
} from './items.js';
import { excerptOf } from './memory-parts.js';
import type { Format } from './plan-recall.js';

export type Shown = {
  readonly item: Item;
  readonly text: string;
  /** The memory has more content than is shown. */
  readonly isCut: boolean;
};

export type Parts = {
  readonly header: string;
  readonly notes: readonly string[];
  readonly texts: readonly string[];
  readonly trailer: readonly string[];
  readonly structured: Readonly<Record<string, unknown>>;
};

export type Presentation = {
  readonly show: (found: FoundMemory, number: number) => Shown;
  /** For a memory that alone exceeds the token budget. */
  readonly showShort: (found: FoundMemory, number: number) => Shown;
  /** Without any cut. */
  readonly showWhole: (found: FoundMemory) => Shown;
  readonly layOut: (parts: Parts) => readonly string[];
};

const withNotesBlock = (blocks: readonly string[], notes: readonly string[]): readonly string[] => [
  ...blocks,
  ...(notes.length === 0 ? [] : [bracketed(notes)]),
];
const asJson = (item: Item): string => JSON.stringify({ results: [item] }, null, 2);
const asBlock = ({ id }: FoundMemory, content: string): string => `[${id}] ${content}`;

export const LIST: Presentation = {
  show: (found, number) => ({ item: briefItem(found), text: briefText({ found, number }), isCut: isCut(found) }),
  showShort: (found, number) => {
    const item = shortItem(found);
    return { item, text: briefText({ found, number }, { tags: item.tags }), isCut: true };
  },
  showWhole: (found) => ({ item: wholeItem(found), text: wholeText({ found, number: 1 }), isCut: false }),
  layOut: ({ header, texts, trailer }) => [
    [header, '', ...texts, ...(trailer.length === 0 ? [] : ['', bracketed(trailer)])].join('\n'),
  ],
};

export const PRESENTATIONS: Readonly<Record<Format, Presentation>> = {
  text: LIST,
  detailed: {
    ...LIST,
    show: (found, number) => ({
      item: detailedItem(found),
      text: detailedText({ found, number }),
      isCut: isCut(found),
    }),
  },
  items: {
    ...LIST,
    show: (found) => ({
      item: briefItem(found),
      text: asBlock(found, excerptOf(found.memory).text),
      isCut: isCut(found),
    }),
    showShort: (found) => ({ item: shortItem(found), text: asBlock(found, excerptOf(found.memory).text), isCut: true }),
    showWhole: (found) => ({ item: wholeItem(found), text: asBlock(found, found.memory.content), isCut: false }),
    layOut: ({ notes, texts, trailer }) => withNotesBlock(texts, [...notes, ...trailer]),
  },
  json: {
    show: (found) => jsonShown(wholeItem(found), false),
    showShort: (found) => jsonShown(shortItem(found), true),
    showWhole: (found) => jsonShown(wholeItem(found), false),
    layOut: ({ structured, trailer }) => withNotesBlock([JSON.stringify(structured, null, 2)], trailer),
  },
};

/** The text is for the size estimate: slightly longer than the item's share of the answer. */
function jsonShown(item: Item, isCut: boolean): Shown {
  return { item, text: asJson(item), isCut };
}

export function isCut({ memory }: FoundMemory): boolean {
  return excerptOf(memory).isCut;
}

function bracketed(notes: readonly string[]): string {
  return `[${notes.join('; ')}]`;
}
