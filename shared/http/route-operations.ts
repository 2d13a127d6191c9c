/** One route for each operation: authenticates, reads the request by its schemas, calls the handler. */
import { createHash } from 'node:crypto';
import { Router } from '@koa/router';
import { RECEIPT_HEADER } from '../contract/commands.js';
import { BODY_LIMITS } from '../contract/limits.js';
import { costOf, type Operation } from '../contract/operation.js';
import { type OperationName, OPERATIONS } from '../contract/operations.js';
import { type Scope, scopeOf } from '../contract/scopes.js';
import { createPacer, mapPaced } from '../kernel/concurrency/paced.js';
import { UnauthenticatedError, ValidationError } from '../kernel/errors.js';
import { isRecord } from '../kernel/is-record.js';
import type { Logger } from '../kernel/logger.js';
import { parseMemoryId } from '../kernel/memory-id.js';
import { createValidator, prepareValidators, type Validator } from '../kernel/validation/validate.js';
import type { Admit } from './admission.js';
import { type AuthenticateBearer, type Caller, whenRefused } from './auth.js';
import { type EdgeContext, EdgeError, type EdgeState } from './edge-state.js';
import type { Handlers, Reply, RequestContext } from './handler.js';
import { requireQuota } from './key-quota.js';
import { createCursors, type Cursors } from './request/cursors.js';
import { hasWarnings, ignoredFields, ignoredParameters, TOKEN_PARAMETERS } from './request/ignored-names.js';
import { parseQuery, readIdempotencyKey, readIfMatch, readLastEventId } from './request/query-parameters.js';
import { type ReadBody, readBody } from './request/read-body.js';
import { type BodyBudget, piecesOf } from './request/read-bytes.js';
import { sendReply } from './send-reply.js';
import type { ServedTenant, Tenancy } from './tenancy.js';
import type { RequireTenantLimits } from './tenant-limits.js';

/** Of an operation that is known only at run time: the tables make the request fit the handler. */
type AnyHandler = (request: {
  readonly params: object;
  readonly query: object;
  readonly body: unknown;
  readonly context: RequestContext;
}) => Promise<Reply>;
type Route = {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly scope: Scope | null;
  readonly handle: AnyHandler;
  readonly validate: Validator<unknown> | null;
};

type Edge = {
  readonly authenticate: AuthenticateBearer;
  /** Null: all callers belong to the default tenant. */
  readonly tenancy: Tenancy | null;
  readonly requireLimits: RequireTenantLimits;
  readonly logger: Logger;
  readonly bodies: BodyBudget;
  readonly admit: Admit;
  readonly cursors: Cursors;
  /** Aborted when the server begins to stop. */
  readonly stopping: AbortSignal;
};

const AGENT_LENGTH = 256;

/** Only operations with a handler. The first match wins: `/memory/by-tag` is before `/memory/:id`. */
export function routeOperations(handlers: Partial<Handlers<OperationName>>, edge: Edge): Router<EdgeState> {
  const router = new Router<EdgeState>({ strict: true, sensitive: true });
  prepareValidators();
  for (const [name, operation] of Object.entries(OPERATIONS) as [OperationName, Operation][]) {
    const handle = handlers[name] as AnyHandler | undefined;
    if (handle === undefined) continue;
    const { body } = operation;
    const validate = body === undefined || body.validatedBy === 'handler' ? null : createValidator(body.schema);
    const route: Route = { name, operation, scope: scopeOf(operation), handle, validate };
    router.register(operation.path, [operation.method], async (context) => {
      const ends: (() => void)[] = [];
      try {
        await answer(route, { ...edge, ends }, context);
      } finally {
        for (const end of ends) end();
      }
    });
  }
  return router;
}

async function answer(
  route: Route,
  { authenticate, tenancy, bodies, admit, ends, ...edge }: Edge & { readonly ends: (() => void)[] },
  context: EdgeContext & { params?: Record<string, string> },
): Promise<void> {
  const { operation, name } = route;
  const urlQuery = new URLSearchParams(context.querystring);
  context.state.operation = name;
  const caller = await authenticate(
    { access: operation.access, scope: route.scope },
    { headers: context.req.headers, query: urlQuery },
  );
  context.state.caller = caller.name;
  const served = await openTenant(caller, { tenancy, ends });
  context.state.tenant = served?.tenant.name ?? null;
  const cursors = served === null ? edge.cursors : createCursors(served.service.historyId ?? (() => null));
  const handle = served === null ? route.handle : handlerOf(served, route);
  requireQuota(caller, context);
  if (served !== null && caller.tier !== 'internal') await edge.requireLimits(served, { name, operation, context });
  const refused = operation.method === 'GET' ? whenRefused(caller, context.res, ends) : null;
  const unlessRefused = <T>(work: Promise<T>): Promise<T> => (refused === null ? work : Promise.race([work, refused]));

  const params = readParams(operation, context.params ?? {});
  context.state.ignored = ignoredParameters(operation.query ?? [], urlQuery, operation.ignores);
  const query = parseQuery(operation.query ?? [], urlQuery, cursors);
  const { signal } = context.state;
  // The keys of a tenant share what one caller may use, so that more keys are no larger share.
  const ofCaller = caller.tier === 'open' ? (context.req.socket.remoteAddress ?? '') : caller.scope;
  const sharer = served?.tenant.id ?? ofCaller;
  let endWork = (): void => undefined;
  const begin = async (bodyBytes: number): Promise<void> => {
    const units = unitsOf(operation, query, bodyBytes);
    if (units > 0) endWork = await admit({ caller: sharer, units, signal });
    ends.push(endWork);
  };
  let read: ReadBody | null = null;
  if (operation.body) {
    const share = bodies.open(sharer);
    ends.push(share.release);
    read = await readBody(context.req, operation.body, { response: context.res, share, signal, begin });
  } else await unlessRefused(begin(0));
  const { bytes, body } = read ?? { bytes: null, body: undefined };
  const pacer = createPacer(); // each of the next steps reads every character of the body
  if (operation.body && hasWarnings(operation))
    context.state.ignored = [
      ...context.state.ignored,
      ...ignoredFields(operation.body.schema, body, operation.ignores),
    ];
  const requestHash = await requestHashOf({
    method: operation.method,
    path: fillPath(operation, params),
    query: urlQuery,
    bytes,
  });
  await pacer.pace();
  const valid = validBody(route, body);
  await pacer.pace();

  const request = {
    params,
    query,
    body: valid,
    context: contextOf({ route, context, caller, requestHash, cursors, endWork }),
  };
  const reply = await unlessRefused(handle(request));
  if (reply.receipt !== undefined) context.set(RECEIPT_HEADER, cursors.cursorOf(reply.receipt));
  await sendReply(context, hasWarnings(operation) ? withWarnings(reply, context.state.ignored) : reply, {
    ...edge,
    endWork,
  });
}

/** The service of the caller's tenant until the response has ended; null for the default tenant. */
async function openTenant(
  { tenant = null }: Caller,
  { tenancy, ends }: { readonly tenancy: Tenancy | null; readonly ends: (() => void)[] },
): Promise<ServedTenant | null> {
  if (tenant === null) return null;
  const served = (await tenancy?.open(tenant)) ?? null;
  if (served === null) throw new UnauthenticatedError('Unauthorized'); // deleted after the check of the key
  ends.push(served.release);
  return served;
}

/** What is about the process itself, and its pages for browsers, have the same answer for all tenants. */
function handlerOf({ service: { handlers } }: ServedTenant, { name, operation, handle }: Route): AnyHandler {
  if (operation.servedBy === 'edge' || operation.page) return handle;
  const own = handlers[name] as AnyHandler | undefined;
  if (own !== undefined) return own;
  throw new EdgeError(404, 'A tenant does not have this operation.');
}

/** 0: the request never waits. */
function unitsOf(operation: Operation, query: Readonly<Record<string, unknown>>, bodyBytes: number): number {
  const cost = costOf(operation);
  const ofRequest = typeof cost === 'number' ? cost : cost(query);
  if (operation.body === undefined || ofRequest === 0) return ofRequest;
  return ofRequest + (BODY_LIMITS[operation.body.kind].unitsPerMegabyte * bodyBytes) / MEGABYTE;
}

const MEGABYTE = 1024 * 1024;

function withWarnings(reply: Reply, warnings: readonly string[]): Reply {
  if (warnings.length === 0 || reply.status >= 300 || !('body' in reply) || !isRecord(reply.body)) return reply;
  return { ...reply, body: { ...reply.body, warnings } };
}

function readParams({ path }: Operation, given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (path.includes(':id')) return { id: readUuid(given['id'], 'memory_id') };
  if (path.includes(':job')) return { job: readUuid(given['job'], 'job_id') };
  if (path.includes(':webhook')) return { webhook: readUuid(given['webhook'], 'webhook_id') };
  if (path.includes(':key_id')) return { key_id: readUuid(given['key_id'], 'key_id') };
  if (path.includes(':tenant_id')) return { tenant_id: readUuid(given['tenant_id'], 'tenant_id') };
  const name = ['name', 'key', 'slug', 'path'].find((each) => path.includes(`:${each}`) || path.includes(`*${each}`));
  return name === undefined ? {} : { [name]: given[name] ?? '' };
}

function fillPath({ path }: Operation, params: Readonly<Record<string, string>>): string {
  return Object.entries(params).reduce((filled, [name, value]) => filled.replace(`:${name}`, value), path);
}

function readUuid(text: string | undefined, field: string): string {
  const id = parseMemoryId(text ?? '');
  if (id === null) throw new ValidationError(`${field} must be a valid UUID`, field);
  return id;
}

function validBody({ operation, validate }: Route, body: unknown): unknown {
  if (validate === null) return body;
  const validated = validate(body);
  if (validated.ok) return validated.value;
  const { field, message } = validated.problem;
  throw new ValidationError(field === null ? (operation.body?.missing ?? message) : message, field);
}

type ContextParts = {
  readonly route: Route;
  readonly context: EdgeContext;
  readonly caller: Caller;
  readonly requestHash: string;
  readonly cursors: Cursors;
  readonly endWork: () => void;
};

function contextOf({
  route: { name, operation },
  context,
  caller,
  requestHash,
  cursors,
  endWork,
}: ContextParts): RequestContext {
  const { requestId, traceparent, startedAt, signal } = context.state;
  const key = operation.repeatable ? headerOf(context, 'idempotency-key') : null;
  const ifMatch = operation.conditional && operation.method !== 'GET' ? headerOf(context, 'if-match') : null;
  const lastEventId = operation.stream ? headerOf(context, 'last-event-id') : null;
  return {
    requestId,
    traceparent,
    startedAt,
    signal,
    requestHash,
    querystring: context.querystring,
    actor: {
      name: caller.name,
      tier: caller.tier,
      agent: headerOf(context, 'user-agent')?.slice(0, AGENT_LENGTH) ?? null,
    },
    scopes: caller.scopes ?? null,
    tag: caller.tag ?? null,
    commandKey: key === null ? null : hashOf(caller.scope, name, readIdempotencyKey(key)),
    fingerprint: hashOf(caller.scope, requestHash),
    ifMatch: ifMatch === null ? null : readIfMatch(ifMatch),
    lastEventId: lastEventId === null ? null : readLastEventId(lastEventId, cursors),
    cursorOf: cursors.cursorOf,
    endWork,
  };
}

/** Null when the header is absent. An empty header is text, which the function that reads it rejects. */
function headerOf({ req }: EdgeContext, name: string): string | null {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

type HashedRequest = {
  readonly method: string;
  /** With the memory id in its normal form. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The body as received; null without a body. */
  readonly bytes: Buffer | null;
};

/** Recognizes a repeated command. Tokens are not part of the request and must not be stored. */
async function requestHashOf({ method, path, query, bytes }: HashedRequest): Promise<string> {
  const asked = new URLSearchParams(query);
  for (const name of TOKEN_PARAMETERS) asked.delete(name);
  const hash = createHash('sha256').update(JSON.stringify([method, path, asked.toString()]));
  if (bytes !== null) await mapPaced(piecesOf(bytes), (piece) => hash.update(piece));
  return hash.digest('hex');
}

/** The hash of several texts; the boundaries between the texts count. */
function hashOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}
