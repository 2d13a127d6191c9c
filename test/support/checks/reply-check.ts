/**
 * Checks each answer of the service against the contract: the operation declares the status, and the body matches its
 * schema.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Operation } from '../../../shared/contract/operation.js';
import { OPERATIONS } from '../../../shared/contract/operations.js';
import { problemSchema } from '../../../shared/contract/reply-parts.js';
import { problemsOf } from '../../../shared/http/openapi/describe-parameters.js';
import { repliesOf } from '../../../shared/http/request/ignored-names.js';
import type { Answer, HttpCaller } from '../clients/http-caller.js';

/** Rejects with the reason when the contract does not allow the answer. */
export function withReplyCheck({ request }: HttpCaller): HttpCaller {
  return {
    request: async (method, path, options) => {
      const answer = await request(method, path, options);
      const schema = method === 'HEAD' || method === 'OPTIONS' ? null : schemaOf(answer, operationOf(method, path));
      const isValid = schema && validatorOf(schema);
      if (isValid && !isValid(answer.body)) {
        throw new Error(
          `${method} ${path} answered ${answer.status} with another body than the contract allows: ${JSON.stringify(isValid.errors)}`,
        );
      }
      return answer;
    },
  };
}

const REPLIES = new Map(
  (Object.values(OPERATIONS) as Operation[]).map((operation) => [operation, repliesOf(operation)]),
);

/** All problems share one schema, also for paths without an operation. */
function schemaOf({ status }: Answer, operation: Operation | undefined): object {
  const schema = operation && REPLIES.get(operation)?.[status];
  if (schema) return schema;
  if (status < 400 || (operation && !problemsOf(operation).includes(status)))
    throw new Error(`The contract does not declare the status ${status} for this request`);
  return problemSchema;
}

/** Paths without parameters come first, as in the router. */
function operationOf(method: string, path: string): Operation | undefined {
  const [pathname] = path.split('?');
  const ofMethod = (Object.values(OPERATIONS) as Operation[]).filter((operation) => operation.method === method);
  return (
    ofMethod.find((operation) => operation.path === pathname) ??
    ofMethod.find((operation) => isOf(operation, pathname ?? ''))
  );
}

function isOf({ path }: Operation, pathname: string): boolean {
  return (
    /[:*]/u.test(path) && new RegExp(`^${path.replace(/:\w+/u, '[^/]+').replace(/\*\w+$/u, '.+')}$`, 'u').test(pathname)
  );
}

let ajv: Ajv2020 | undefined;

/** Keeps each compiled schema for all services of a process: compiling takes a tenth of the time of their tests. */
function validatorOf(schema: object): ValidateFunction {
  ajv ??= addFormats.default(
    new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true }),
  );
  return ajv.compile(schema);
}
