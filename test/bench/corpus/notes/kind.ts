/** Reads kinds of notes from text, so that the vocabulary is not lost between brackets. */

export type Kind = {
  readonly category: string;
  /** The type of its memories. */
  readonly type: string;
  /** Three wordings, so that no two notes of a team have the same. */
  readonly wordings: readonly Wording[];
  /** With words of the note; in other words; and half-remembered. */
  readonly questions: readonly string[];
};
export type Wording = { readonly note: string; readonly values: readonly Values[] };
/** For one team: the words for `{a}`, `{b}` and `{c}`, and the index of the part when they fit this one alone. */
export type Values = { readonly words: readonly string[]; readonly part: number | null };

/**
 * A blank line ends a kind. Its first line is `category Type`. A line with `>` is the wording of a note, the next with
 * `=` has its values for each team in turn: `[part>]a|b|c; ...`. Lines with `?` are the questions.
 */
export function kindsOf({ raw: [text = ''] }: TemplateStringsArray): readonly Kind[] {
  return text
    .trim()
    .split('\n\n')
    .map((block) => {
      const [head = '', ...lines] = block.split('\n');
      const [category = '', type = ''] = head.split(' ');
      const starting = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
      const values = starting('=').map((line) => line.split('; ').map(valuesOf));
      const wordings = starting('>').map((note, index) => ({ note, values: values[index] ?? [] }));
      return { category, type, wordings, questions: starting('?') };
    });
}

function valuesOf(entry: string): Values {
  const [, part, words = ''] = /^(?:(\d+)>)?(.*)$/u.exec(entry) ?? [];
  return { words: words.split('|'), part: part === undefined ? null : Number(part) };
}
