/** The formats of an answer as data: how a memory is shown in each, and how the parts become content blocks. */
import type { FoundMemory } from './found.js';
import type { Format } from './input-schema.js';
import { briefText, detailedText, wholeText } from './item-text.js';
import { briefItem, detailedItem, shortItem, wholeItem, type Item } from './items.js';
import { shownWords } from './shown-words.js';

export type Shown = {
  readonly item: Item;
  readonly text: string;
  /** The memory says more than what is shown of it. */
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
  /** Where the memory alone would take all the room. */
  readonly showShort: (found: FoundMemory, number: number) => Shown;
  /** Never cut. */
  readonly showWhole: (found: FoundMemory) => Shown;
  readonly layOut: (parts: Parts) => readonly string[];
};

const blocksBehind = (first: readonly string[], said: readonly string[]): readonly string[] => [
  ...first,
  ...(said.length === 0 ? [] : [bracketed(said)]),
];
const asJson = (item: Item): string => JSON.stringify({ results: [item] }, null, 2);
const asBlock = ({ id }: FoundMemory, words: string): string => `[${id}] ${words}`;

const LIST: Presentation = {
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
      text: asBlock(found, shownWords(found.memory).text),
      isCut: isCut(found),
    }),
    showShort: (found) => ({
      item: shortItem(found),
      text: asBlock(found, shownWords(found.memory).text),
      isCut: true,
    }),
    showWhole: (found) => ({ item: wholeItem(found), text: asBlock(found, found.memory.content), isCut: false }),
    layOut: ({ notes, texts, trailer }) => blocksBehind(texts, [...notes, ...trailer]),
  },
  json: {
    show: (found) => both(wholeItem(found), false),
    showShort: (found) => both(shortItem(found), true),
    showWhole: (found) => both(wholeItem(found), false),
    layOut: ({ structured, trailer }) => blocksBehind([JSON.stringify(structured, null, 2)], trailer),
  },
};

/** The text is what the item adds to that of the answer, and a little more. */
function both(item: Item, isCut: boolean): Shown {
  return { item, text: asJson(item), isCut };
}

function isCut({ memory }: FoundMemory): boolean {
  return shownWords(memory).isCut;
}

function bracketed(said: readonly string[]): string {
  return `[${said.join('; ')}]`;
}
