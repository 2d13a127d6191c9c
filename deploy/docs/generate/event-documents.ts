/** Makes the documents for consumers of the stream: a JSON Schema for every event type and version, and an AsyncAPI document. */
import { type EventType, SCHEMA_VERSIONS } from '../../../shared/contract/events.js';
import { asyncApiDocument } from './async-api.js';
import type { GeneratedFile } from './generated-file.js';
import type { JsonSchema } from './json-schema.js';
import { publishedSchema, schemaFileName } from './published-schema.js';
import { incompatibleChanges } from './schema-changes.js';

export const EVENT_FOLDER = 'deploy/docs/events';

/** The current versions. Files of earlier versions stay unchanged. */
export function eventDocuments(version: string): readonly GeneratedFile[] {
  const types = Object.keys(SCHEMA_VERSIONS) as EventType[];
  return [
    { path: `${EVENT_FOLDER}/asyncapi.json`, textFrom: () => textOf(asyncApiDocument(version)) },
    ...types.map((type): GeneratedFile => ({
      path: `${EVENT_FOLDER}/${schemaFileName(type)}`,
      textFrom: (present) => {
        const schema = publishedSchema(type);
        if (present !== '') requireCompatible(type, JSON.parse(present) as JsonSchema, schema);
        return textOf(schema);
      },
    })),
  ];
}

/** Throws when a reader of the old schema could not read events of the new one. */
export function requireCompatible(type: EventType, before: JsonSchema, after: JsonSchema): void {
  const changes = incompatibleChanges(before, after);
  if (changes.length === 0) return;
  const version = SCHEMA_VERSIONS[type];
  throw new Error(
    [
      `${type} changes in a way that readers of its version ${version} cannot take:`,
      ...changes.map((change) => `  - ${change}`),
      `Take the change back, make it an optional property, or set SCHEMA_VERSIONS['${type}'] to ${version + 1} and say how events of version ${version} are read.`,
    ].join('\n'),
  );
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
