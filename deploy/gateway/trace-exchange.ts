/** The span of one request through the gateway. It continues the trace of the client and lasts until the answer is sent. */
import { isTraced } from '../../shared/http/trace-request.js';
import { readTraceparent } from '../../shared/kernel/tracing/traceparent.js';
import { withSpan } from '../../shared/kernel/tracing/tracing.js';
import type { Exchange } from './exchange.js';
import type { Api } from './routes.js';

/** `api`: null for a path that is closed to callers. */
export function traceExchange(
  { incoming, outgoing, target, requestId }: Exchange,
  api: Api | null,
  answer: () => Promise<void>,
): void {
  if (!isTraced(target.split('?')[0] ?? '')) {
    void answer();
    return;
  }
  const attributes = { 'http.request.method': incoming.method ?? '', 'palimpsest.request_id': requestId };
  const parent = readTraceparent(incoming.headers['traceparent'] as string | undefined);
  void withSpan(`gateway ${api ?? 'none'}`, { kind: 'server', parent, attributes }, async (span) => {
    const sent = new Promise((resolve) => outgoing.once('close', resolve));
    await answer();
    await sent;
    span.set({ 'http.response.status_code': outgoing.statusCode });
    if (outgoing.statusCode >= 500) span.fail(String(outgoing.statusCode));
  });
}
