/** Presents the found memories. The budget covers text and structured content: a client may pass on both. */
import type { ToolAnswer } from '../tool.js';
import { type Presentation, PRESENTATIONS, type Shown } from './formats.js';
import type { Found } from './found.js';
import { clipFields } from './memory-parts.js';
import { explanationOf, notesOf } from './notes.js';
import type { Format } from './plan-recall.js';
import { fitResults, tokensForResults } from './token-budget.js';

export const NOTHING_FOUND = 'No memories found matching your query.';

export type PresentOptions = {
  readonly format: Format;
  /** In place of the presentation of `format`. */
  readonly presentation?: Presentation | undefined;
  readonly tokenBudget: number;
  /** Notes in addition to those that follow from the service's answer. */
  readonly notes: readonly string[];
};

export function presentFound(
  found: Found,
  { format, presentation = PRESENTATIONS[format], tokenBudget, notes }: PresentOptions,
): ToolAnswer {
  const compose = createComposer({ found, presentation, notes: [...notesOf(found), ...notes], tokenBudget });
  if (found.memories.length === 0) return compose.nothing();
  if (found.mode === 'id_fetch') return compose.answer(found.memories.map(presentation.showWhole));
  return compose.answer(
    fitResults(found.memories, presentation, tokensForResults(tokenBudget, compose.fullestFrame())),
  );
}

type Composition = Omit<PresentOptions, 'format' | 'presentation'> & {
  readonly found: Found;
  readonly presentation: Presentation;
};

function createComposer({ found, presentation, notes, tokenBudget }: Composition) {
  const { mode, memories, about } = found;
  const echo = clipFields(about);
  const explanation = explanationOf(about);

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
      ...explanation,
      ...(omitted === 0 ? [] : [truncationNote({ omitted, tokenBudget, isPage: mode === 'enumeration' })]),
      ...serviceBudgetNotes(found),
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
    /** The answer without results and with every note: the longest possible frame. */
    fullestFrame: () => compose([], true),
    nothing: (): ToolAnswer => {
      const allNotes = [...notes, ...explanation];
      const text = `${NOTHING_FOUND}${allNotes.length === 0 ? '' : ` (${allNotes.join('; ')})`}`;
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

function truncationNote({
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

function serviceBudgetNotes({ about: { budget } }: Found): readonly string[] {
  const omitted = budget?.omitted?.length ?? 0;
  return omitted === 0 ? [] : [`max_tokens left out ${omitted} more: raise it to see them`];
}
