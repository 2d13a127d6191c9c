/**
 * The named schemas of the OpenAPI document. Generators make one type of each; without names they number their types.
 */
import { associationBatch, associationItem, batchItem } from '../../contract/commands.js';
import { explainedMemory, explainedResult } from '../../contract/explain-reply.js';
import { feedEvent, memoryVersion } from '../../contract/feed-replies.js';
import { memorySchema, memorySummarySchema } from '../../contract/memory.js';
import { compactResult, recalledMemory, recallResult, scoreComponents } from '../../contract/recall-reply.js';
import { associatedBatch, associatedOne, consistency, relationSchema } from '../../contract/replies.js';

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

/**
 * A reference for a schema with a name in the list. Replaces every known part of another schema by a reference, and
 * `const` by an `enum` of one: some generators break on a const that is not text.
 */
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
