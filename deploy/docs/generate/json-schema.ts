/** The JSON Schema keywords that hold other schemas or names. All other keywords are compared and copied unchanged. */
export type JsonSchema = {
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly [keyword: string]: unknown;
};
