/** The schemas of the OpenAPI document. Forms that our keyword `accepts` tolerates become alternatives. */
import { associationBatch, associationItem, batchItem } from '../../contract/commands.js';
import { explainedMemory, explainedResult } from '../../contract/explain-reply.js';
import { feedEvent, memoryVersion } from '../../contract/feed.js';
import { memorySchema, memorySummarySchema } from '../../contract/memory.js';
import { compactResult, recalledMemory, recallResult, scoreComponents } from '../../contract/recall-reply.js';
import { associatedBatch, associatedOne, consistency, relationSchema } from '../../contract/replies.js';
import { allowsNull, type SchemaNode } from '../../kernel/validation/schema-node.js';

/** The parts that several schemas share, or that a client handles alone. */
const NAMES: ReadonlyMap<object, string> = new Map<object, string>([
  [memorySchema, 'Memory'],
  [memorySummarySchema, 'MemorySummary'],
  [relationSchema, 'Relation'],
  [consistency, 'Consistency'],
  [recallResult, 'RecallResult'],
  [compactResult, 'CompactRecallResult'],
  [recalledMemory, 'RecalledMemory'],
  [scoreComponents, 'ScoreComponents'],
  [explainedResult, 'ExplainedResult'],
  [explainedMemory, 'ExplainedMemory'],
  [feedEvent, 'FeedEvent'],
  [memoryVersion, 'MemoryVersion'],
  [associatedOne, 'AssociatedPair'],
  [associatedBatch, 'AssociatedBatch'],
  [batchItem, 'BatchItem'],
  [associationItem, 'AssociationItem'],
  [associationBatch, 'AssociationBatch'],
]);

export type Components = {
  readonly schemas: Readonly<Record<string, object>>;
  /** A reference to the schema under this name; `describe` makes the schema when the name is new. */
  readonly named: (name: string, describe: () => object) => object;
  /** The same for a schema with a name in the list; null for any other. */
  readonly known: (schema: object, describe: () => object) => object | null;
};

export function createComponents(): Components {
  const schemas: Record<string, object> = {};
  const named = (name: string, describe: () => object): object => {
    schemas[name] ??= describe();
    return { $ref: `#/components/schemas/${name}` };
  };
  const known = (schema: object, describe: () => object): object | null => {
    const name = NAMES.get(schema);
    return name === undefined ? null : named(name, describe);
  };
  return { schemas, named, known };
}

/** References for known parts, and `enum` in place of `const`: some generators break on a const that is not text. */
export function describeReply(schema: object, components: Components): object {
  const describe = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(describe);
    if (typeof part !== 'object' || part === null) return part;
    return components.known(part, () => entries(part)) ?? entries(part);
  };
  const entries = (part: object): object =>
    Object.fromEntries(
      Object.entries(part).map(([keyword, value]) =>
        keyword === 'const' && typeof value !== 'object' ? ['enum', [value]] : [keyword, describe(value)],
      ),
    );
  // An object stays an object.
  return describe(schema) as object;
}

const NUMBER = '[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9])?';
/** Decimals from 0 to 1 without exponents. The service accepts all of them, and some more. */
const UNIT_INTERVAL = '^(0?\\.[0-9]+|0|1|1\\.0+)$';

/** `vectorSize`: the length of an embedding, where it is known. */
export type Describing = { readonly components: Components; readonly vectorSize: number | null };

/** Does not change the given schema. */
export function describeBody(schema: object, describing: Describing): object {
  // All schemas of the contract are within the subset that SchemaNode describes.
  return describe(schema as ContractSchema, { ...describing, isOptional: false });
}

type ContractSchema = SchemaNode & {
  readonly required?: readonly string[];
  readonly description?: string;
  readonly anyOf?: readonly ContractSchema[];
};

/** `isOptional`: null counts as absent. */
type NodeContext = Describing & { readonly isOptional: boolean };

function describe(schema: ContractSchema, { isOptional, ...describing }: NodeContext): object {
  const { accepts, aliases, description, ...own } = schema;
  const form = {
    ...own,
    ...describeParts(own, describing),
    ...(accepts === 'numbers_or_text' && vectorLength(describing.vectorSize)),
  };
  const others = [
    ...alternatives({ ...own, ...(accepts && { accepts }), ...(aliases && { aliases }) }),
    ...(isOptional && own.type !== undefined && !allowsNull(own) ? [{ type: 'null' }] : []),
  ];
  return {
    ...(description !== undefined && { description }),
    ...(others.length > 0 ? { anyOf: [form, ...others] } : form),
  };
}

function describeParts({ properties, items, anyOf, required = [] }: ContractSchema, describing: Describing): object {
  const part = (schema: ContractSchema): object => {
    const described = (): object => describe(schema, { ...describing, isOptional: false });
    return describing.components.known(schema, described) ?? described();
  };
  return {
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [
          name,
          describe(schema, { ...describing, isOptional: !required.includes(name) }),
        ]),
      ),
    }),
    ...(items && { items: part(items) }),
    ...(anyOf && { anyOf: anyOf.map(part) }),
  };
}

/** The keywords for a list of numbers with the length of an embedding. */
export function vectorLength(vectorSize: number | null): object {
  return vectorSize === null ? {} : { minItems: vectorSize, maxItems: vectorSize };
}

/** The tolerated forms in addition to the form of the schema. */
function alternatives({ accepts, aliases = {}, enum: names = [], minimum, maximum }: SchemaNode): readonly object[] {
  switch (accepts) {
    case undefined:
      return [];
    case 'numeric':
      return [
        { type: 'boolean' },
        { type: 'string', pattern: minimum === 0 && maximum === 1 ? UNIT_INTERVAL : `^${NUMBER}$` },
      ];
    case 'string_or_list':
    case 'commas_or_list':
      return [{ type: 'string' }];
    case 'numbers_or_text':
      return [{ type: 'string', pattern: `^( *|${NUMBER}( *, *${NUMBER})*)$` }];
    case 'any_case':
      return [{ type: 'string', enum: [...names.map((name) => String(name).toLowerCase()), ...Object.keys(aliases)] }];
    default:
      return accepts satisfies never;
  }
}
