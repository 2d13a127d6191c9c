/**
 * Reads the configuration: variables are declared as data, read once, and all problems are reported together. The
 * documentation of the variables is generated from the same declarations.
 */
import { parseFlag } from '../validation/flag-text.js';

export type Variable = {
  readonly name: string;
  /** Other names that are read when `name` is not set. Two names with different values are a problem. */
  readonly aliases?: readonly string[];
  readonly kind: 'text' | 'secret' | 'integer' | 'number' | 'flag' | 'choice' | 'list';
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The value when nothing is set. Without a default, unset is a value of its own. */
  readonly default?: string;
  /** The unit, if the value has one: `ms`, `bytes`, `characters`. */
  readonly unit?: string;
  readonly description: string;
};

type ValueOf<V extends Variable> = V['kind'] extends 'integer' | 'number'
  ? number
  : V['kind'] extends 'flag'
    ? boolean
    : V['kind'] extends 'list'
      ? readonly string[]
      : V extends { readonly choices: readonly (infer C)[] }
        ? C
        : string;

export type Values<T extends readonly Variable[]> = {
  readonly [V in T[number] as V['name']]: V extends { readonly default: string } ? ValueOf<V> : ValueOf<V> | undefined;
};

/** All problems of the environment; each line says what to change. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration cannot be used:${problems.length === 1 ? ` ${problems[0]}` : problems.map((problem) => `\n  - ${problem}`).join('')}`,
    );
    this.name = 'ConfigurationError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the declared variables. Blank counts as unset. Throws one ConfigurationError that lists every problem. */
export function readVariables<const T extends readonly Variable[]>(variables: T, environment: Environment): Values<T> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const variable of variables) {
    const text = textOf(variable, environment, problems) ?? variable.default;
    if (text === undefined) continue;
    const parsed = parse(variable, text);
    if (typeof parsed === 'object' && 'problem' in parsed) problems.push(`${variable.name} ${parsed.problem}`);
    else values[variable.name] = parsed.value;
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return values as Values<T>;
}

function textOf(variable: Variable, environment: Environment, problems: string[]): string | undefined {
  const found = [variable.name, ...(variable.aliases ?? [])]
    .map((name) => ({ name, text: environment[name]?.trim() ?? '' }))
    .filter(({ text }) => text !== '');
  const [first, ...others] = found;
  const other = others.find(({ text }) => text !== first?.text);
  if (first && other)
    problems.push(`${first.name} and ${other.name} are both set, to different values: unset one of them`);
  return first?.text;
}

type Parsed = { readonly value: unknown } | { readonly problem: string };

function parse(variable: Variable, text: string): Parsed {
  switch (variable.kind) {
    case 'text':
    case 'secret':
      return { value: text };
    case 'integer':
    case 'number':
      return parseNumber(variable, text);
    case 'flag': {
      const flag = parseFlag(text);
      return flag === undefined ? { problem: `must be true or false, not ${JSON.stringify(text)}` } : { value: flag };
    }
    case 'choice': {
      const lower = text.toLowerCase();
      if (variable.choices?.includes(lower)) return { value: lower };
      return { problem: `must be one of ${variable.choices?.join(', ')}, not ${JSON.stringify(text)}` };
    }
    case 'list':
      return {
        value: text
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      };
    default:
      return variable.kind satisfies never;
  }
}

function parseNumber({ kind, minimum, maximum }: Variable, text: string): Parsed {
  const value = Number(text);
  if (!Number.isFinite(value) || (kind === 'integer' && !Number.isInteger(value))) {
    return { problem: `must be ${kind === 'integer' ? 'a whole number' : 'a number'}, not ${JSON.stringify(text)}` };
  }
  if (minimum !== undefined && value < minimum) return { problem: `must be at least ${minimum}, not ${text}` };
  if (maximum !== undefined && value > maximum) return { problem: `must be at most ${maximum}, not ${text}` };
  return { value };
}
