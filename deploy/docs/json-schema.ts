/** What is read of a JSON Schema here: the keywords that hold other schemas or names. All others are compared and copied as they are. */
export type JsonSchema = {
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly [keyword: string]: unknown;
};
