/** Software by name. Most memories of an agent name software, usually without a word next to the name that shows it. */
import { wordSet } from '../word-set.js';

/** `name`: in lower case, with blanks between its words. */
export function isKnownTool(name: string): boolean {
  return TOOLS.has(name) || AMBIGUOUS_TOOLS.has(name);
}

/**
 * Names without a second meaning: a tool in any spelling. At least three letters: the gate rejects shorter slugs (Go,
 * C#, S3).
 */
export const TOOLS: ReadonlySet<string> =
  wordSet(`postgres postgresql mysql mariadb sqlite libsql mongodb dynamodb cockroachdb couchdb duckdb
  clickhouse influxdb timescaledb neo4j falkordb arangodb redis valkey memcached elasticsearch opensearch meilisearch typesense algolia qdrant
  pinecone weaviate milvus chromadb pgvector pgbouncer supabase planetscale bigquery redshift databricks kafka rabbitmq redpanda nats activemq
  zookeeper airflow dagster dbt fivetran hadoop flink docker podman kubernetes k8s k3s minikube containerd terraform opentofu pulumi ansible packer
  nginx traefik haproxy istio linkerd grafana datadog splunk kibana logstash opentelemetry jaeger zipkin pagerduty newrelic github gitlab bitbucket
  circleci argocd fluxcd jira trello figma miro airtable zapier n8n retool heroku vercel netlify cloudflare digitalocean aws gcp azure ec2
  firebase firestore auth0 okta keycloak openssl wireguard tailscale ngrok twilio sendgrid mailgun mailchimp hubspot salesforce zendesk shopify
  wordpress webflow paypal javascript typescript python golang kotlin php fortran cobol nodejs node.js deno npm pnpm npx webpack vite
  esbuild eslint prettier vitest pytest junit jquery angularjs vuejs vue.js next.js nextjs nuxt sveltekit htmx tailwind tailwindcss django fastapi
  sqlalchemy pydantic laravel symfony graphql grpc protobuf websocket websockets webassembly wasm oauth jwt numpy scipy scikit-learn pytorch
  tensorflow keras jax jupyter matplotlib huggingface langchain langgraph llamaindex ollama vllm llama.cpp chatgpt gpt-4 gpt-4o gpt-5 deepseek
  automem mcp vscode neovim emacs intellij pycharm xcode webstorm jetbrains tmux zsh powershell systemd ubuntu debian fedora linux macos ios android
  raspberry-pi openapi typeorm sequelize kysely knex koa fastify nestjs rxjs redux zustand mobx tiktok youtube instagram whatsapp spotify photoshop
  powerpoint onenote sharepoint gmail dropbox evernote onedrive duolingo strava fitbit nintendo playstation xbox godot`);

/**
 * Names with a second meaning: a tool only when capitalised in the middle of a sentence, or after words such as `built
 * with`.
 */
export const AMBIGUOUS_TOOLS: ReadonlySet<string> =
  wordSet(`asana athena atlas aurora bash bazel blender bootstrap bun caddy cassandra celery
  chrome claude codex confluence consul copilot cursor cypress dart discord docusaurus drizzle elixir envoy erlang excel fastly firefox flask
  flutter fly gatsby gemini git gradle gunicorn haskell helm homebrew hugo illustrator istanbul java jenkins jest julia kong lambda linear looker
  loom maven mercurial metabase mistral mocha mongoose nomad notion obsidian pandas pascal perl playwright postman prisma prometheus pulsar puppet
  puppeteer rails react remix render rollup ruby rust safari sass scala selenium sentry serverless slack snowflake solr spark spring storybook
  stripe superset svelte swagger swift symfony tableau trino unity vagrant vault vim visio vue windows yarn zig zoom`);

/** Names of two or three words, looked up at their first word. */
export const MULTIWORD_TOOLS: ReadonlySet<string> = new Set([
  'github actions',
  'github copilot',
  'gitlab ci',
  'google cloud',
  'google docs',
  'google sheets',
  'google drive',
  'google analytics',
  'google maps',
  'google calendar',
  'visual studio code',
  'visual studio',
  'vs code',
  'android studio',
  'claude code',
  'claude desktop',
  'spring boot',
  'ruby on rails',
  'react native',
  'sql server',
  'apache kafka',
  'apache spark',
  'apache airflow',
  'amazon s3',
  'amazon rds',
  'cloud run',
  'hugging face',
  'new relic',
  'power bi',
  'adobe photoshop',
  'microsoft teams',
  'microsoft excel',
  'raspberry pi',
  'travis ci',
  'stable diffusion',
  'cosmos db',
  'azure devops',
  'aws lambda',
  'cloudflare workers',
  'next js',
  'node js',
  'vue js',
  'scikit learn',
  'chat gpt',
]);
