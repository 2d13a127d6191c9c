/** Holds every answer of the service against the contract: each status is one that its operation declares, each body has its schema. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { OPERATIONS, type Operation } from '../../shared/contract/operations.js';
import { problemSchema } from '../../shared/contract/problems.js';
import type { Answer, HttpCaller } from './http-caller.js';

/** Rejects a request whose answer the contract does not allow, with what is wrong in it. */
export function checkingReplies({ request }: HttpCaller): HttpCaller {
  const validatorOf = createValidators();
  return {
    request: async (method, path, options) => {
      const answer = await request(method, path, options);
      const schema = method === 'HEAD' || method === 'OPTIONS' ? null : schemaOf(answer, operationOf(method, path));
      const isValid = schema && validatorOf(schema);
      if (isValid && !isValid(answer.body)) {
        throw new Error(
          `${method} ${path} answered ${answer.status} with another body than the contract's: ${JSON.stringify(isValid.errors)}`,
        );
      }
      return answer;
    },
  };
}

/** Problems share one schema, also where no operation was meant. */
function schemaOf({ status }: Answer, operation: Operation | undefined): object {
  const schema = operation?.replies[status];
  if (schema) return schema;
  if (status < 400 || (operation && !operation.problems.includes(status)))
    throw new Error(`The contract does not know this answer: ${status}`);
  return problemSchema;
}

/** The paths without parameters come first, as routes do. */
function operationOf(method: string, path: string): Operation | undefined {
  const [pathname] = path.split('?');
  const ofMethod = (Object.values(OPERATIONS) as Operation[]).filter((operation) => operation.method === method);
  return (
    ofMethod.find((operation) => operation.path === pathname) ??
    ofMethod.find((operation) => isOf(operation, pathname ?? ''))
  );
}

function isOf({ path }: Operation, pathname: string): boolean {
  return path.includes(':') && new RegExp(`^${path.replace(/:\w+/u, '[^/]+')}$`, 'u').test(pathname);
}

/** Compiles each schema once. */
function createValidators(): (schema: object) => ValidateFunction {
  const ajv = addFormats.default(
    new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true }),
  );
  const compiled = new Map<object, ValidateFunction>();
  return (schema) => {
    const known = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, known);
    return known;
  };
}
