/**
 * Words what was found for a model, pure: in the format asked for, within the token budget, and saying what was left out. The budget
 * covers text and structured content together, for a client may hand on both.
 */
import type { ToolAnswer } from '../tool.js';
import { boundEcho } from './bound-echo.js';
import { estimateTokens } from './estimate-tokens.js';
import { explanationOf } from './explanation.js';
import { PRESENTATIONS, type Presentation, type Shown } from './formats.js';
import type { Found } from './found.js';
import type { Format } from './input-schema.js';
import { notesOf } from './notes.js';

export const NOTHING_FOUND = 'No memories found matching your query.';

/** Kept for what stands around the memories; what is there takes more where it needs more. */
const RESERVE_TOKENS = 800;
/** Numbers get longer as memories are kept, line ends and commas stand between them. */
const SLACK_CHARACTERS = 32;
const SEPARATOR_CHARACTERS = 2;

export type Wanted = {
  readonly format: Format;
  readonly tokenBudget: number;
  /** Beside what the answer of the service makes necessary to say. */
  readonly notes: readonly string[];
};

export function presentFound(found: Found, { format, tokenBudget, notes }: Wanted): ToolAnswer {
  const presentation = PRESENTATIONS[format];
  const compose = createComposer({ found, presentation, notes: [...notesOf(found), ...notes], tokenBudget });
  if (found.memories.length === 0) return compose.nothing();
  if (found.mode === 'id_fetch') return compose.answer(found.memories.map(presentation.showWhole));
  const room =
    tokenBudget - Math.max(RESERVE_TOKENS, estimateTokens(charactersIn(compose.fullestFrame()) + SLACK_CHARACTERS));
  const shown = found.memories.map((memory, index) => fitAlone(presentation, { memory, number: index + 1, room }));
  return compose.answer(shown.slice(0, keptWithin(room, shown.map(tokensOf))));
}

type Composition = Omit<Wanted, 'format'> & { readonly found: Found; readonly presentation: Presentation };

function createComposer({ found, presentation, notes, tokenBudget }: Composition) {
  const { mode, memories, about } = found;
  const echo = boundEcho(about);
  const explained = explanationOf(about);

  function compose(shown: readonly Shown[], isCut: boolean): ToolAnswer {
    const omitted = memories.length - shown.length;
    const page = mode === 'enumeration' ? { has_more: about.has_more === true || omitted > 0 } : {};
    const structured = {
      mode,
      count: shown.length,
      ...echo,
      ...page,
      results: shown.map(({ item }) => item),
      ...(omitted === 0
        ? {}
        : { truncation: { applied: true, omitted_results: omitted, reason: 'response_token_budget' } }),
    };
    const trailer = [
      ...explained,
      ...(omitted === 0 ? [] : [omissionOf({ omitted, tokenBudget, isPage: mode === 'enumeration' })]),
      ...leftOutByService(found),
      ...(page.has_more ? [`there are more: call again with offset ${(about.offset ?? 0) + shown.length}`] : []),
      ...(isCut ? ['long memories are cut here: memory_id fetches one whole'] : []),
    ];
    const header = headerOf({ found: memories.length, shown: shown.length, notes });
    return {
      text: presentation.layOut({ header, notes, texts: shown.map(({ text }) => text), trailer, structured }),
      structured,
    };
  }

  return {
    answer: (shown: readonly Shown[]) =>
      compose(
        shown,
        shown.some(({ isCut }) => isCut),
      ),
    /** The most that may stand around any number of memories. */
    fullestFrame: () => compose([], true),
    nothing: (): ToolAnswer => {
      const said = [...notes, ...explained];
      const text = `${NOTHING_FOUND}${said.length === 0 ? '' : ` (${said.join('; ')})`}`;
      return { text: [text], structured: { mode, count: 0, ...echo, results: [] } };
    },
  };
}

function headerOf({
  found,
  shown,
  notes,
}: {
  readonly found: number;
  readonly shown: number;
  readonly notes: readonly string[];
}): string {
  return `Found ${found} memories${shown < found ? ` (showing ${shown})` : ''}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}:`;
}

function omissionOf({
  omitted,
  tokenBudget,
  isPage,
}: {
  readonly omitted: number;
  readonly tokenBudget: number;
  readonly isPage: boolean;
}): string {
  const advice = isPage ? 'they come with the next page' : 'narrow the query, or ask for format text';
  return `${omitted} of them left out to stay within about ${tokenBudget} tokens: ${advice}`;
}

function leftOutByService({ about: { budget } }: Found): readonly string[] {
  const omitted = budget?.omitted?.length ?? 0;
  return omitted === 0 ? [] : [`max_tokens left out ${omitted} more: raise it to see them`];
}

type Placed = { readonly memory: Found['memories'][number]; readonly number: number; readonly room: number };

/** Stopping at a memory that can never fit would hide all that come after it. */
function fitAlone(presentation: Presentation, { memory, number, room }: Placed): Shown {
  const shown = presentation.show(memory, number);
  return tokensOf(shown) <= room ? shown : presentation.showShort(memory, number);
}

function tokensOf({ item, text }: Shown): number {
  return estimateTokens(text.length + JSON.stringify(item).length + 2 * SEPARATOR_CHARACTERS);
}

/** Best first, so the first that does not fit ends the answer; the first of all always stays. */
function keptWithin(room: number, tokens: readonly number[]): number {
  let left = room;
  const full = tokens.findIndex((cost, index) => {
    left -= cost;
    return index > 0 && left < 0;
  });
  return full === -1 ? tokens.length : full;
}

function charactersIn({ text, structured }: ToolAnswer): number {
  return text.reduce((sum, block) => sum + block.length, 0) + JSON.stringify(structured).length;
}
