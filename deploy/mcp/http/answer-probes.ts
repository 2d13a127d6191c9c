/** The health checks of the bridge: `/health` for people, always 200, and `/ready` for orchestrators, 503 while the service does not answer. */
import { EdgeError } from '../../../shared/http/edge-error.js';
import type { EdgeMiddleware } from '../../../shared/http/edge-state.js';
import { writeReply } from '../../../shared/http/write-reply.js';
import { type Clock, formatTimestamp } from '../../../shared/kernel/clock.js';
import { MCP_PATH } from './serve-mcp.js';
import type { ServiceState, ServiceWatch } from './watch-service.js';

const STATUS = { unknown: 'starting', reachable: 'healthy', unreachable: 'degraded' } as const satisfies Record<
  ServiceState['upstream'],
  string
>;
const RETRY_AFTER_SECONDS = '5';

export function answerProbes({
  watch,
  clock,
}: {
  readonly watch: ServiceWatch;
  readonly clock: Clock;
}): EdgeMiddleware {
  return async (context, next) => {
    const isHealth = context.path === '/health';
    if (!isHealth && context.path !== '/ready') return next();
    context.state.operation = isHealth ? 'health' : 'readyz';
    if (context.method !== 'GET' && context.method !== 'HEAD')
      throw new EdgeError(405, 'Ask this path with GET', { allow: 'GET, HEAD, OPTIONS' });
    const body = {
      transports: ['streamable-http'],
      endpoints: { mcp: MCP_PATH, health: '/health', ready: '/ready' },
      ...stateFields(isHealth ? watch.lastState() : await watch.check()),
    };
    const meta = { timestamp: formatTimestamp(clock.now()), request_id: context.state.requestId };
    if (isHealth) void watch.check(); // `/health` answers with the last known state; the next request gets the new one
    const isReady = isHealth || body.upstream === 'reachable';
    writeReply(context, {
      status: isReady ? 200 : 503,
      body: { ...body, ...meta },
      headers: isReady ? {} : { 'retry-after': RETRY_AFTER_SECONDS },
    });
  };
}

function stateFields({ upstream, error, details, checkedAt }: ServiceState) {
  return {
    status: STATUS[upstream],
    upstream,
    upstream_error: error,
    upstream_details: details,
    checked_at: checkedAt,
  };
}
