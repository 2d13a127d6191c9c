/**
 * The types and operations of the Python client, from the OpenAPI document: a TypedDict for each schema, and a method
 * for each operation, blocking and asynchronous. What sends requests is written by hand in the package.
 */
import type { openApiDocument } from '../../../shared/http/openapi/openapi-document.js';

type Document = ReturnType<typeof openApiDocument>;
type Components = { readonly schemas: Readonly<Record<string, Schema>> };
type Schema = Readonly<Record<string, unknown>>;
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly explode?: boolean;
};
type OpenApiOperation = {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { schema: Schema }>>;
  };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>;
};

const JSON_TYPE = 'application/json';
/** Python 3.10's words that are no names. `type` and other builtins are. */
const KEYWORDS = ['from', 'import', 'class', 'global', 'in', 'is', 'not', 'or', 'and', 'pass', 'with', 'as', 'async'];

export function pythonClientSource(document: Document): string {
  const schemas = Object.entries((document['components'] as Components).schemas); // as the document is made
  const classes: string[] = [];
  const aliases: string[] = [];
  for (const [name, schema] of schemas) {
    if (isClass(schema)) addClass(name, schema, classes);
    else aliases.push(`${name}: TypeAlias = ${JSON.stringify(typeOf(schema, name, classes))}\n`);
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, OpenApiOperation>>).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
  const known = new Map(schemas);
  const methodsOf = (isAsync: boolean): string =>
    operations
      .filter(({ operation }) => replyType(operation) !== null)
      .map((one) => methodSource(one, known, isAsync))
      .join('\n');
  return `"""The types and operations of the HTTP API. \`npm run docs:python\` makes this file from the OpenAPI document."""

from __future__ import annotations

import sys
from typing import Any, Dict, List, Literal, TypedDict, Union, cast

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypeAlias, Unpack
else:
    from typing_extensions import NotRequired, TypeAlias, Unpack

OPERATIONS = (
${operations.map(({ operation }) => `    "${snakeCase(operation.operationId)}",\n`).join('')})

${classes.join('\n\n')}

${aliases.join('')}

class Operations:
    """One method for each operation that answers with JSON."""

    def _call(self, method: str, path: str, **given: Any) -> Any:
        raise NotImplementedError

${methodsOf(false)}

class AsyncOperations:
    """The same methods for asyncio."""

    async def _call(self, method: str, path: str, **given: Any) -> Any:
        raise NotImplementedError

${methodsOf(true)}`;
}

/** A schema of an object whose properties are known. */
function isClass(schema: Schema): boolean {
  return schema['type'] === 'object' && Object.keys(propertiesOf(schema)).length > 0;
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
}

/** Adds the class after those of its parts. */
function addClass(name: string, schema: Schema, classes: string[]): void {
  const required = (schema['required'] ?? []) as readonly string[];
  const fields = Object.entries(propertiesOf(schema)).map(([key, value]) => {
    const type = typeOf(value, name + pascalCase(key), classes);
    return { key, type: required.includes(key) ? type : `NotRequired[${type}]` };
  });
  const isPlain = fields.every(({ key }) => isName(key));
  classes.push(
    isPlain
      ? `class ${name}(TypedDict):\n${fields.map(({ key, type }) => `    ${key}: ${type}\n`).join('')}`
      : `${name} = TypedDict(\n    "${name}",\n    {\n${fields.map(({ key, type }) => `        ${JSON.stringify(key)}: ${JSON.stringify(type)},\n`).join('')}    },\n)\n`,
  );
}

function isName(key: string): boolean {
  return /^[A-Za-z]\w*$/u.test(key) && !KEYWORDS.includes(key);
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

function typeOf(schema: Schema, name: string, classes: string[]): string {
  const { $ref: ref, enum: values, anyOf, oneOf, type, items, additionalProperties: others } = schema;
  if (typeof ref === 'string') return ref.slice(ref.lastIndexOf('/') + 1);
  if (Array.isArray(values)) return `Literal[${values.map((value) => pythonLiteral(value)).join(', ')}]`;
  const either = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (either && !isClass(schema))
    return unionOf(either.map((one, index) => typeOf(one, `${name}${index + 1}`, classes)));
  if (Array.isArray(type))
    return unionOf(type.map((one) => typeOf({ ...schema, type: one as unknown }, name, classes)));
  if (type === 'array') return `List[${items ? typeOf(items as Schema, `${name}Item`, classes) : 'Any'}]`;
  if (isClass(schema)) {
    addClass(name, schema, classes);
    return name;
  }
  if (type === 'object') {
    const isTyped = typeof others === 'object' && others !== null && Object.keys(others).length > 0;
    return `Dict[str, ${isTyped ? typeOf(others as Schema, `${name}Value`, classes) : 'Any'}]`;
  }
  return SIMPLE[String(type)] ?? 'Any';
}

function unionOf(types: readonly string[]): string {
  const all = [...new Set(types)];
  return all.length === 1 ? (all[0] ?? 'Any') : `Union[${all.join(', ')}]`;
}

function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** The type of the answers; null for an answer that is no JSON, which the package reads by hand. */
function replyType({ responses }: OpenApiOperation): string | null {
  const types = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([, { content }]) => content?.[JSON_TYPE]?.schema);
  if (types.some((schema) => schema === undefined)) return null;
  return unionOf(types.map((schema) => typeOf(schema ?? {}, 'Reply', [])));
}

function methodSource(
  { path, method, operation }: { readonly path: string; readonly method: string; readonly operation: OpenApiOperation },
  schemas: ReadonlyMap<string, Schema>,
  isAsync: boolean,
): string {
  const parameters = (operation.parameters ?? []).filter(({ deprecated }) => deprecated !== true);
  const [inPath, inQuery] = ['path', 'query'].map((place) => parameters.filter((one) => one.in === place));
  const headers = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
  const body = operation.requestBody?.content[JSON_TYPE]?.schema;
  const bodyType = body ? typeOf(body, 'Body', []) : null;
  const properties = Object.keys(propertiesOf(schemas.get(bodyType ?? '') ?? {}));
  // Any other body is given as a whole.
  const isUnpacked =
    properties.length > 0 && properties.every((key) => isName(key) && !parameters.some(({ name }) => name === key));
  const own = [
    ...(inQuery ?? []).map(({ name, schema, required }) => {
      const type = typeOf(schema, 'Parameter', []);
      return required === true ? `${argument(name)}: ${type}` : `${argument(name)}: Union[${type}, None] = None`;
    }),
    ...(headers.includes('Idempotency-Key') ? ['idempotency_key: Union[str, None] = None'] : []),
    ...(headers.includes('If-Match') ? ['if_match: Union[str, None] = None'] : []),
  ];
  const signature = [
    'self',
    ...(inPath ?? []).map(({ name, schema }) => `${argument(name)}: ${typeOf(schema, 'Parameter', [])}`),
    ...(bodyType !== null && !isUnpacked
      ? [operation.requestBody?.required === true ? `body: ${bodyType}` : `body: Union[${bodyType}, None] = None`]
      : []),
    ...(own.length > 0 ? ['*', ...own] : []),
    ...(isUnpacked ? [`**body: Unpack[${bodyType}]`] : []),
  ];
  const reply = replyType(operation) ?? 'Any';
  const given = [
    ...((inPath ?? []).length > 0 ? [`path_values={${pairs(inPath ?? [])}}`] : []),
    ...((inQuery ?? []).length > 0 ? [`query={${pairs(inQuery ?? [])}}`] : []),
    ...((inQuery ?? []).some(({ explode }) => explode === false)
      ? [
          `joined={${(inQuery ?? [])
            .filter(({ explode }) => explode === false)
            .map(({ name }) => `"${name}"`)
            .join(', ')}}`,
        ]
      : []),
    ...(bodyType === null ? [] : ['body=body']),
    ...(headers.includes('Idempotency-Key') ? ['repeatable=True', 'idempotency_key=idempotency_key'] : []),
    ...(headers.includes('If-Match') ? ['if_match=if_match'] : []),
  ];
  return `    ${isAsync ? 'async ' : ''}def ${snakeCase(operation.operationId)}(
        ${signature.join(',\n        ')},
    ) -> ${reply}:
        ${docstring(operation, [...(inPath ?? []), ...(inQuery ?? [])])}
        return cast(
            "${reply}",
            ${isAsync ? 'await ' : ''}self._call(
                "${method}",
                "${path}",
${given.map((line) => `                ${line},\n`).join('')}            ),
        )
`;
}

function pairs(parameters: readonly Parameter[]): string {
  return parameters.map(({ name }) => `"${name}": ${argument(name)}`).join(', ');
}

function argument(name: string): string {
  const plain = name.replaceAll(/\W/gu, '_');
  return KEYWORDS.includes(plain) ? `${plain}_` : plain;
}

function docstring({ summary, description }: OpenApiOperation, parameters: readonly Parameter[]): string {
  const lines = [
    ...[summary, description]
      .filter((text) => text !== undefined)
      .map((text) => (text.endsWith('.') ? text : `${text}.`)),
    ...(parameters.length > 0 ? ['', 'Args:'] : []),
    ...parameters.map(({ name, description: text = '' }) => `    ${argument(name)}: ${text}`.trimEnd()),
  ].flatMap((text) => text.split('\n'));
  const safe = lines.map((line) => line.replaceAll('\\', '\\\\').replaceAll('"""', "'''"));
  return `"""${safe.join('\n        ').replaceAll(/^ +$/gmu, '')}\n        """`;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

function pascalCase(key: string): string {
  return key
    .split(/[^A-Za-z0-9]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
