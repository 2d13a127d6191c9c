/**
 * Spans of one trace, after OpenTelemetry. Without a tracer, `withSpan` only calls its work. Attributes are counts and
 * names that the service itself gives: never an id of a memory, never a word of a caller.
 */
import type * as OpenTelemetry from '@opentelemetry/api';
import { formatTraceparent, isSampled, parseTraceparent, traceIdOf } from './traceparent.js';

export type SpanAttributes = Readonly<Record<string, OpenTelemetry.AttributeValue>>;

export type SpanOptions = {
  /** Default `internal`. */
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: SpanAttributes;
  /**
   * The `traceparent` of the cause in another process or at an earlier time; null begins a new trace. By default the
   * current span is the parent.
   */
  readonly parent?: string | null;
  /** The `traceparent`s of several causes. */
  readonly links?: readonly string[];
};

export interface ActiveSpan {
  /** For the next process. Null without a tracer. */
  readonly traceparent: string | null;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** `type`: what failed, as a code or the name of a class. Never a message, which may contain words of a caller. */
  fail(type: string): void;
}

const NO_SPAN: ActiveSpan = {
  traceparent: null,
  rename: () => undefined,
  set: () => undefined,
  fail: () => undefined,
};

const KINDS = { server: 'SERVER', client: 'CLIENT', producer: 'PRODUCER', consumer: 'CONSUMER' } as const;

/** `api`: the package, which a process without spans does not load. It takes 40 ms of processor time. */
export type SpanTracer = { readonly api: typeof OpenTelemetry; readonly tracer: OpenTelemetry.Tracer };

/** State of the module, as OpenTelemetry's own: spans cross every layer, and a parameter for them would too. */
let active: SpanTracer | null = null;

/** Null switches tracing off, as it is at the start. */
export function setTracer(next: SpanTracer | null): void {
  active = next;
}

/**
 * Runs the work inside a span, which ends with it. Work that throws or rejects makes the span a failed one, and the
 * error passes on.
 */
export function withSpan<T>(name: string, options: SpanOptions, work: (span: ActiveSpan) => T): T {
  if (active === null) return work(NO_SPAN);
  const { api, tracer } = active;
  const { kind, attributes, parent, links = [] } = options;
  const cause = causeOf(parent, api);
  const span = tracer.startSpan(
    name,
    {
      ...(kind && { kind: api.SpanKind[KINDS[kind]] }),
      ...(attributes && { attributes }),
      links: links.flatMap((link) => {
        const linked = parseTraceparent(link);
        return linked === null ? [] : [{ context: linked }];
      }),
    },
    cause,
  );
  const current: ActiveSpan = {
    traceparent: formatTraceparent(span.spanContext()),
    rename: (next) => void span.updateName(next),
    set: (more) => void span.setAttributes(more),
    fail: (type) => {
      span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.setAttribute('error.type', type);
    },
  };
  const fail = (error: unknown): never => {
    current.fail(typeOf(error));
    span.end();
    throw error;
  };
  return api.context.with(api.trace.setSpan(cause, span), () => {
    try {
      const result = work(current);
      if (result instanceof Promise)
        // `then` returns a promise of the same type.
        return result.then((value: unknown) => {
          span.end();
          return value;
        }, fail) as T;
      span.end();
      return result;
    } catch (error) {
      return fail(error);
    }
  });
}

/**
 * A part of work that has a span already. Without a current span it only calls its work: a loop that polls makes no
 * traces.
 */
export function withChildSpan<T>(
  name: string,
  options: Pick<SpanOptions, 'kind' | 'attributes'>,
  work: (span: ActiveSpan) => T,
): T {
  return active?.api.trace.getActiveSpan() === undefined ? work(NO_SPAN) : withSpan(name, options, work);
}

/**
 * For work that a request starts and that outlives it, or that repeats for as long as a client stays: it is no part of
 * the request's trace.
 */
export function withoutSpan<T>(work: () => T): T {
  return active === null ? work() : active.api.context.with(active.api.ROOT_CONTEXT, work);
}

/** The current span, for the next process. Null without a span or a tracer. */
export function currentTraceparent(): string | null {
  const span = active?.api.trace.getActiveSpan();
  return span === undefined ? null : formatTraceparent(span.spanContext());
}

export type TracedEvent = {
  /** Of the span that wrote the event. */
  readonly traceparent: string | null;
};

/**
 * A span over a batch of events. Events of one trace make the batch a part of that trace; events of several traces make
 * it a trace of its own with links to them. Only sampled traces count, unless none is: a sampled trace then is whole
 * although others share its batches. A batch without a trace gets no span. The span that is current at the call has no
 * effect: it may be of the request that began the loop.
 */
export function withBatchSpan<T>(
  name: string,
  {
    events,
    attributes,
    ...options
  }: Pick<SpanOptions, 'kind' | 'attributes'> & { readonly events: readonly TracedEvent[] },
  work: (span: ActiveSpan) => T,
): T {
  if (active === null) return work(NO_SPAN);
  const causes = new Set(events.flatMap(({ traceparent }) => (traceparent === null ? [] : [traceparent])));
  const sampled = [...causes].filter(isSampled);
  const [first, ...others] = sampled.length > 0 ? sampled : causes;
  if (first === undefined) return withoutSpan(() => work(NO_SPAN));
  const isOneTrace = sampled.length === 0 || others.every((other) => traceIdOf(other) === traceIdOf(first));
  const origin = isOneTrace ? { parent: first, links: sampled.slice(1) } : { parent: null, links: sampled };
  return withSpan(
    name,
    { ...options, ...origin, attributes: { ...attributes, 'palimpsest.events': events.length } },
    work,
  );
}

function causeOf(parent: string | null | undefined, api: typeof OpenTelemetry): OpenTelemetry.Context {
  if (parent === undefined) return api.context.active();
  const cause = parseTraceparent(parent);
  return cause === null ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, cause);
}

/** The code of one of our errors or of a system error; the class of any other. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
