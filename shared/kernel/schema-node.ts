/** What validation reads of a JSON Schema, the two keywords of ours included. The subset that the contract uses, and no more. */

/** What is tolerated beside the schema's own form; said in full in `shared/contract/commands.ts`. */
export const TOLERANCES = ['numeric', 'string_or_list', 'commas_or_list', 'numbers_or_text', 'any_case'] as const;
export type Tolerance = (typeof TOLERANCES)[number];

export type SchemaNode = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly accepts?: Tolerance;
  /** With `any_case`: further spellings in lower case, each with the enum value that it stands for. */
  readonly aliases?: Readonly<Record<string, string>>;
};

export function allowsNull({ type }: SchemaNode): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}
