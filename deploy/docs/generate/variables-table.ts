/** Makes the tables of `deploy/docs/configuration.md` from the declarations that the processes read. */
import type { Variable } from '../../../shared/kernel/config/config.js';

export type VariableGroup = { readonly title: string; readonly variables: readonly Variable[] };

const BEGIN = /<!-- variables:[^>]*-->\n/u;
const END = '<!-- /variables -->';

/** Returns the document with new tables. Throws when it has no place for them. */
export function withVariables(markdown: string, groups: readonly VariableGroup[]): string {
  const begin = BEGIN.exec(markdown);
  const end = markdown.indexOf(END);
  if (begin === null || end < begin.index)
    throw new Error(
      `The document has no place for the variables: write a line "<!-- variables: ... -->" and below it "${END}"`,
    );
  return markdown.slice(0, begin.index + begin[0].length) + variablesTable(groups) + markdown.slice(end);
}

/**
 * Returns Markdown: a heading and a table for each group. A variable that several parts read is listed with the first
 * of them.
 */
export function variablesTable(groups: readonly VariableGroup[]): string {
  const shown = new Set<string>();
  const sections = groups.map(({ title, variables }) => {
    const rows = variables.filter(({ name }) => !shown.has(name)).map((variable) => row(variable));
    variables.forEach(({ name }) => shown.add(name));
    return `\n**${title}**\n\n| variable | default | what it sets |\n|---|---|---|\n${rows.join('')}`;
  });
  return `${sections.join('')}\n`;
}

function row(variable: Variable): string {
  const { name, aliases = [], description } = variable;
  const names = [`\`${name}\``, ...aliases.map((alias) => `(\`${alias}\`)`)].join(' ');
  return `| ${names} | ${defaultOf(variable)} | ${cell([description, ...limitsOf(variable)].join(' '))} |\n`;
}

function defaultOf({ default: value, unit }: Variable): string {
  if (value === undefined) return '';
  return `\`${cell(value)}\`${unit === undefined ? '' : ` ${unit}`}`;
}

function limitsOf({ kind, choices, minimum, maximum }: Variable): readonly string[] {
  if (kind === 'flag') return ['`true` or `false`.'];
  if (choices !== undefined) return [`One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.`];
  if (minimum !== undefined && maximum !== undefined) return [`From ${minimum} to ${maximum}.`];
  if (minimum !== undefined) return [`At least ${minimum}.`];
  return maximum === undefined ? [] : [`At most ${maximum}.`];
}

/** Escapes the bar, which would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
