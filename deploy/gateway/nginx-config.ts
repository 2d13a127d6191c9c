/** The configuration of nginx as the gateway, made from the routing table; `nginx.conf` is the one for Compose. */
import { TOKEN_HEADERS } from './callers.js';
import { INTERNAL_TOKEN_HEADER } from './forwarded-headers.js';
import {
  GATEWAY_LIMITS,
  GATEWAY_PROBLEMS,
  type GatewayLimits,
  gatewayProblem,
  type GatewayProblemStatus,
  isRetryableStatus,
  RETRY_AFTER_SECONDS,
} from './gateway-limits.js';
import { API_OF_UNKNOWN_PATHS, LIVENESS_BODY, ROUTES } from './routes.js';

export type NginxOptions = {
  readonly port: number;
  /** Default: every IPv4 address. */
  readonly host?: string;
  /** `host:port` of every instance. */
  readonly commandApi: readonly string[];
  readonly queryApi: readonly string[];
  /** A name server for instances that come and go under one name. From nginx 1.27.3 on. */
  readonly resolver?: string;
  /** For all files that nginx writes, so that it runs without root. Default: the paths that nginx was built with. */
  readonly stateFolder?: string;
  readonly limits?: Partial<GatewayLimits>;
};

/** Run nginx with `-g 'daemon off;'`, as the image of nginx does. */
export function nginxConfig(options: NginxOptions): string {
  const limits = { ...GATEWAY_LIMITS, ...options.limits };
  return `# Made from the list of operations by \`npm run docs:gateway\`: change shared/contract/operations.ts or deploy/gateway/, not this file.
worker_processes auto;
worker_shutdown_timeout 30s;
${stateOf(options)}
events {
  worker_connections 4096;
}

http {
${[namesOf(), callersOf(), routesMapOf(), upstreamsOf(options, limits), edgeOf(options, limits), serverOf(options, limits)].join('\n')}}
`;
}

/** nginx would log the query of a failed request, which may hold a token. The access log has its status. */
function stateOf({ stateFolder }: NginxOptions): string {
  const errorLog = `error_log ${stateFolder === undefined ? '/dev/stderr' : `${stateFolder}/error.log`} emerg;\n`;
  return stateFolder === undefined ? errorLog : `${errorLog}pid ${stateFolder}/nginx.pid;\n`;
}

/** `$path` is the path as the APIs see it. They replace a request id that is no UUID, so nginx does it first. */
function namesOf(): string {
  return `  map $request_uri $path {
    "~^(?<raw_path>[^?]*)" $raw_path;
  }
  map $request_id $new_id {
    "~^(?<id_1>.{8})(?<id_2>.{4}).(?<id_3>.{3}).(?<id_4>.{3})(?<id_5>.{12})$" "$id_1-$id_2-4$id_3-8$id_4-$id_5";
  }
  map $http_x_request_id $trace_id {
    default $new_id;
    "~*^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" $http_x_request_id;
  }
`;
}

/** As `callerOf` for the router in Node. */
function callersOf(): string {
  return `  map $http_x_api_key $caller_by_key {
    default $binary_remote_addr;
    "~*${TOKEN_HEADERS['x-api-key']}" $key_token;
  }
  map $http_authorization $caller {
    default $caller_by_key;
    "~*${TOKEN_HEADERS.authorization}" $bearer_token;
  }
  limit_conn_zone $caller zone=callers:10m;
  limit_conn_status 429;
`;
}

function routesMapOf(): string {
  const width = Math.max(...ROUTES.map(({ pattern }) => pattern.length)) + 3;
  const streams = ROUTES.filter(({ isStream }) => isStream).map(
    ({ pattern, api }) => `    "~^${api} ${pattern.slice(1)}" stream;\n`,
  );
  const rows = ROUTES.map(({ pattern, api }) => `    ${`"~${pattern}"`.padEnd(width)} ${api ?? 'closed'};\n`);
  return `  map "$request_method:$path" $api {
    default ${API_OF_UNKNOWN_PATHS};
${rows.join('')}  }
  map "$api $request_method:$path" $lane {
    default $api;
    "~^command DELETE:" deletion;
${streams.join('')}  }
`;
}

/** The share of `max_conns` that serves while every instance failed a moment ago. */
const RESERVE = 1 / 8;

/**
 * nginx does not use an instance for a second after a failure. When that holds for all, as when one is replaced just
 * after another, it uses the second list, which has them all. The idle time is below the 65 s of the APIs: a command on
 * a connection that is just being closed could not be repeated.
 */
function upstreamsOf({ commandApi, queryApi, resolver }: NginxOptions, { requestsPerInstance }: GatewayLimits): string {
  const reserve = Math.floor(requestsPerInstance * RESERVE);
  const resolve = resolver === undefined ? '' : ' resolve';
  const settings = [`max_conns=${requestsPerInstance - reserve} fail_timeout=1s${resolve}`];
  if (reserve > 0) settings.push(`max_conns=${reserve} max_fails=0${resolve} backup`);
  const group = (name: string, instances: readonly string[]): string => `  upstream ${name} {
    zone ${name} 64k;
${settings.flatMap((setting) => instances.map((instance) => `    server ${instance} ${setting};\n`)).join('')}    keepalive ${requestsPerInstance};
    keepalive_timeout 55s;
  }
`;
  return `${resolver === undefined ? '' : `  resolver ${resolver} valid=5s;\n`}${group('command_api', commandApi)}${group('query_api', queryApi)}`;
}

function edgeOf({ stateFolder }: NginxOptions, { bodyBytes, requestLineBytes }: GatewayLimits): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${stateFolder}/${kind};\n`,
  );
  return `${stateFolder === undefined ? '' : temporary.join('')}  server_tokens off;
  log_format line escape=json '{"time":"$time_iso8601","requestId":"$trace_id","method":"$request_method","path":"$path","status":$status,'
                              '"bytes":$body_bytes_sent,"seconds":$request_time,"api":"$api","instance":"$upstream_addr","instanceStatus":"$upstream_status"}';
  access_log ${stateFolder === undefined ? '/dev/stdout' : `${stateFolder}/access.log`} line;

  client_header_timeout 20s;
  client_body_timeout 60s;
  send_timeout 60s;
  keepalive_timeout 65s;
  client_max_body_size ${bodyBytes};
  client_body_buffer_size 128k;
  large_client_header_buffers 4 ${requestLineBytes};
`;
}

/** nginx repeats only unsent POSTs and PATCHes, but every DELETE; so deletions have a lane of their own. */
function serverOf({ port, host }: NginxOptions, limits: GatewayLimits): string {
  return `  server {
    listen ${host === undefined ? '' : `${host}:`}${port};
    default_type application/json;
    limit_conn callers ${limits.requestsPerCaller};

    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header ${INTERNAL_TOKEN_HEADER} "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Request-Id $trace_id;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Host $http_host;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_connect_timeout ${limits.connectTimeoutMs}ms;
    proxy_send_timeout 60s;
    proxy_buffer_size 16k;
    proxy_buffers 16 16k;
    proxy_busy_buffers_size 32k;
    proxy_max_temp_file_size 0;
    proxy_next_upstream error timeout;
    proxy_next_upstream_tries 3;

    location / {
      rewrite ^ /.lanes/$lane last;
    }
${lane('query', `proxy_pass http://query_api$request_uri;`, `proxy_read_timeout ${limits.readTimeoutMs}ms;`)}\
${lane('stream', `proxy_pass http://query_api$request_uri;`, `proxy_read_timeout ${limits.streamIdleMs}ms;`, 'proxy_buffering off;')}\
${lane('command', `proxy_pass http://command_api$request_uri;`, `proxy_read_timeout ${limits.commandTimeoutMs}ms;`)}\
${lane('deletion', `proxy_pass http://command_api$request_uri;`, `proxy_read_timeout ${limits.commandTimeoutMs}ms;`, 'proxy_next_upstream off;')}\
${lane('gateway', 'add_header X-Request-Id $trace_id always;', `return 200 '${LIVENESS_BODY}';`)}\
${lane('closed', 'return 404;')}
${problemsOf()}  }
`;
}

function lane(name: string, ...directives: readonly string[]): string {
  return `    location = /.lanes/${name} {\n      internal;\n${directives.map((directive) => `      ${directive}\n`).join('')}    }\n`;
}

/** nginx's own code for headers that are too large; 495 to 497 are for TLS. */
const NGINX_NAMES: Partial<Record<GatewayProblemStatus, number>> = { 431: 494 };

function problemsOf(): string {
  const statuses = Object.keys(GATEWAY_PROBLEMS).map((status) => Number(status) as GatewayProblemStatus);
  const pages = statuses.map((status) => {
    const own = NGINX_NAMES[status];
    return `    error_page ${own === undefined ? status : `${own} =${status}`} /.problems/${status};\n`;
  });
  return `${pages.join('')}${statuses.map(problemPage).join('')}`;
}

function problemPage(status: GatewayProblemStatus): string {
  const retry = isRetryableStatus(status) ? `\n      add_header Retry-After ${RETRY_AFTER_SECONDS} always;` : '';
  const body = JSON.stringify(gatewayProblem(status, '$trace_id'));
  return `    location = /.problems/${status} {
      internal;
      add_header X-Request-Id $trace_id always;${retry}
      return ${status} '${body}';
    }
`;
}
