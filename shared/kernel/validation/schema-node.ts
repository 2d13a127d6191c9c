/**
 * The part of JSON Schema that the contract uses and validation reads, with our own keywords `accepts` and `aliases`.
 */

/** The forms that are tolerated in addition to the form of the schema; `shared/contract/commands.ts` describes each. */
export const TOLERANCES = ['numeric', 'string_or_list', 'commas_or_list', 'numbers_or_text', 'any_case'] as const;
export type Tolerance = (typeof TOLERANCES)[number];

export type SchemaNode = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly accepts?: Tolerance;
  /** With `any_case`: more spellings in lower case, each with the enum value that it means. */
  readonly aliases?: Readonly<Record<string, string>>;
};

export function allowsNull({ type }: SchemaNode): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}
