/** Computes the figures of recall quality: the share of the evidence among the first results, and the rank of the first evidence. */

/** One question with the turns that answer it (`evidence`) and the turns that recall returned (`found`), best first. */
export type AskedQuestion = {
  readonly category: string;
  readonly evidence: readonly string[];
  readonly found: readonly string[];
  /** Length of the whole answer of recall. */
  readonly characters: number;
};

const DEPTHS = [5, 10, 20] as const;

/** The lines of a table: all questions, then each category. */
export function qualityLines(asked: readonly AskedQuestion[]): readonly string[] {
  const categories = [...new Set(asked.map(({ category }) => category))].sort();
  const groups = [
    { name: 'all', members: asked },
    ...categories.map((name) => ({ name, members: asked.filter(({ category }) => category === name) })),
  ];
  const lengths = asked.map(({ characters }) => characters).sort((one, other) => one - other);
  return [
    ['category', 'questions', ...DEPTHS.map((depth) => `recall@${depth}`), 'MRR']
      .map((head, column) => cell(head, column))
      .join(''),
    ...groups.map(({ name, members }) => figuresOf(name, members).map(cell).join('')),
    `characters returned: mean ${Math.round(mean(lengths))}, p95 ${lengths[Math.floor(lengths.length * 0.95)] ?? 0}`,
  ];
}

/** The lines of a table with a row for each ranker: recall@5 and recall@10 over all questions, then recall@10 for each category. */
export function comparisonLines(askedByRanker: Readonly<Record<string, readonly AskedQuestion[]>>): readonly string[] {
  const categories = [
    ...new Set(
      Object.values(askedByRanker)
        .flat()
        .map(({ category }) => category),
    ),
  ].sort();
  const rows = Object.entries(askedByRanker).map(([name, asked]) => {
    const ofCategories = categories.map((wanted) =>
      recallOf(
        asked.filter(({ category }) => category === wanted),
        10,
      ),
    );
    return [
      name,
      ...[recallOf(asked, 5), recallOf(asked, 10), ...ofCategories].map((share) => (100 * share).toFixed(1)),
    ];
  });
  return [['ranker', '@5', '@10', ...categories], ...rows].map((row) =>
    row.map((text, column) => cell(text, column)).join(' '),
  );
}

function recallOf(asked: readonly AskedQuestion[], depth: number): number {
  return mean(asked.map((one) => evidenceRecall(one, depth)));
}

/** The share of the evidence among the first `depth` results. */
export function evidenceRecall({ evidence, found }: Pick<AskedQuestion, 'evidence' | 'found'>, depth: number): number {
  const first = new Set(found.slice(0, depth));
  return evidence.filter((id) => first.has(id)).length / evidence.length;
}

/** 1 divided by the rank of the first evidence; 0 when no evidence was found. */
export function reciprocalRank({ evidence, found }: Pick<AskedQuestion, 'evidence' | 'found'>): number {
  const rank = found.findIndex((id) => evidence.includes(id)) + 1;
  return rank === 0 ? 0 : 1 / rank;
}

function figuresOf(name: string, asked: readonly AskedQuestion[]): readonly string[] {
  const recalls = DEPTHS.map((depth) => recallOf(asked, depth));
  return [
    name,
    String(asked.length),
    ...[...recalls, mean(asked.map(reciprocalRank))].map((share) => (100 * share).toFixed(1)),
  ];
}

function cell(text: string, column: number): string {
  return column === 0 ? text.padEnd(16) : text.padStart(11);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
