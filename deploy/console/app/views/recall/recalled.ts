/** What the parts of the recall lab share, pure: the request, the form of a result, and figures in words. */
import type { ReplyOf } from '../../../../../shared/contract/operations.js';

export type Recalled = ReplyOf<'recall'>;
export type FullResult = Extract<Recalled['results'][number], { readonly memory: object }>;
/** The parameters of a recall as texts, as in the address. */
export type Given = Readonly<Record<string, string>>;
/** The parameters of one request; a list is sent as a repeated parameter. */
export type RecallRequest = Readonly<Record<string, string | readonly string[]>>;
export type Scale = { readonly lowest: number; readonly highest: number };

/** Before the parameters of the second set in the address. */
const SECOND = 'b.';

/** The second set is null when the address has none of its parameters. */
export function setsOf(parameters: Given): { readonly first: Given; readonly second: Given | null } {
  const entries = Object.entries(parameters);
  const second = entries.filter(([name]) => name.startsWith(SECOND));
  return {
    first: Object.fromEntries(entries.filter(([name]) => !name.startsWith(SECOND))),
    second:
      second.length === 0
        ? null
        : Object.fromEntries(second.map(([name, value]) => [name.slice(SECOND.length), value])),
  };
}

/** For titles: ` of B`, or nothing when there is one set. */
export function ofSet(name: string): string {
  return name === '' ? '' : ` of ${name}`;
}

/** The address of both sets. An empty set lists trending memories. */
export function parametersOf(first: Given, second: Given | null): Given {
  const listed = (set: Given): Given => (Object.keys(set).length === 0 ? { query: '*' } : set);
  const named = Object.entries(second === null ? {} : listed(second)).map(([name, value]) => [SECOND + name, value]);
  return { ...listed(first), ...(Object.fromEntries(named) as Given) };
}

/** With what the lab shows: suppressed memories and explanations; `explain` may name one memory. */
export function requestOf({ tags = '', detail: _, ...others }: Given, explain = 'true'): RecallRequest {
  const list = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return { ...others, ...(list.length === 0 ? {} : { tags: list }), state_debug: 'true', explain };
}

export function fullResultsOf({ results }: Recalled): readonly FullResult[] {
  return results.filter((result): result is FullResult => 'memory' in result);
}

/** One scale for all bars: from the largest sum of penalties to the largest sum of the other points. */
export function scaleOf(results: readonly Pick<FullResult, 'explain'>[]): Scale {
  const values = results.map(({ explain }) => Object.values(explain?.points ?? {}));
  const sum = (points: readonly number[]): number => points.reduce((total, each) => total + each, 0);
  return {
    lowest: Math.min(0, ...values.map((points) => sum(points.filter((each) => each < 0)))),
    highest: Math.max(0, ...values.map((points) => sum(points.filter((each) => each > 0)))),
  };
}

const PROBABLE = 0.5;
const POSSIBLE = 0.1;

/** `probably answers (81 %)` */
export function matchInWords(probability: number): string {
  const words = probability >= PROBABLE ? 'probably answers' : probability >= POSSIBLE ? 'may answer' : 'unlikely';
  return `${words} (${probability < 0.01 ? 'under 1' : Math.round(probability * 100)} %)`;
}

const STATE_REASONS: Readonly<Record<string, string>> = {
  superseded: 'is replaced by',
  archived: 'is archived',
  expired: 'is no longer valid: its t_invalid has passed',
  not_yet_valid: 'is not valid yet: its t_valid is in the future',
};

export function stateReason(reason: string): string {
  return STATE_REASONS[reason] ?? reason;
}

/** The stages that contain others in the header; their times include them. */
const CONTAINED: Readonly<Record<string, string>> = { encode: 'retrieve', relate: 'rank' };

export type StageTimes = {
  /** Milliseconds, since the request arrived. */
  readonly total: number;
  readonly stages: readonly { readonly name: string; readonly value: number; readonly parts: readonly string[] }[];
};

/** Of a `Server-Timing` header: `plan;dur=0.2, retrieve;dur=6.1, encode;dur=1.2, total;dur=8.0`. */
export function stageTimesOf(header: string): StageTimes {
  const times = header.split(', ').flatMap((entry) => {
    const [name = '', ms] = entry.split(';dur=', 2);
    return ms === undefined ? [] : [{ name, value: Number(ms) }];
  });
  return {
    total: times.find(({ name }) => name === 'total')?.value ?? 0,
    stages: times
      .filter(({ name }) => name !== 'total' && CONTAINED[name] === undefined)
      .map((stage) => ({
        ...stage,
        parts: times
          .filter(({ name }) => CONTAINED[name] === stage.name)
          .map(({ name, value }) => `${name} ${value.toFixed(1)} ms`),
      })),
  };
}
