/** Parses `Server-Timing` headers and computes the share of each stage over many answers. */
export type Shares = {
  /** The share of the whole time in the service, 0 to 1, by stage. Stages may overlap, so the sum may exceed 1. */
  readonly byStage: ReadonlyMap<string, number>;
  /** Mean time in the service, ms. */
  readonly meanMs: number;
};

/** The entries of a header like `retrieve;dur=3.1, total;dur=4`, in ms. Throws for other text, so that a benchmark never measures zero by mistake. */
export function parseServerTiming(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((entry) => {
      const match = /^\s*([\w-]+);dur=(\d+(?:\.\d+)?)\s*$/u.exec(entry);
      if (!match) throw new Error(`This is no Server-Timing entry: ${JSON.stringify(entry)}`);
      return [match[1] ?? '', Number(match[2])] as const;
    }),
  );
}

export function sharesOf(answers: readonly ReadonlyMap<string, number>[]): Shares {
  const spent = new Map<string, number>();
  for (const answer of answers) {
    for (const [stage, ms] of answer) spent.set(stage, (spent.get(stage) ?? 0) + ms);
  }
  const whole = spent.get('total') ?? 0;
  spent.delete('total');
  return {
    byStage: new Map([...spent].map(([stage, ms]) => [stage, whole === 0 ? 0 : ms / whole])),
    meanMs: whole / Math.max(1, answers.length),
  };
}

/** `retrieve 61 %, hydrate 20 %`. */
export function shareText({ byStage }: Shares): string {
  return [...byStage].map(([stage, share]) => `${stage} ${(share * 100).toFixed(0)} %`).join(', ');
}
