/** Examples of consolidation, the vector index, jobs, webhooks, backup and import. */
import { AT, EVENT_ID, type Example, JOB_ID, KEY_ID, TEA_ID, TENANT_ID, WEBHOOK_ID } from './example.js';

const job = {
  id: JOB_ID,
  kind: 'rebuild-graph',
  state: 'waiting',
  request: {},
  progress: {},
  error: null,
  requested_at: AT,
  started_at: null,
  finished_at: null,
};
const finished = {
  ...job,
  state: 'done',
  progress: { events: 7, subjects: 6, total_subjects: 6 },
  started_at: AT,
  finished_at: AT,
};
const vectorJob = { ...job, request: { model: 'bundled/e5-small-v2-q/384/w1', dimension: 384 } };

const key = {
  id: KEY_ID,
  name: 'help-desk-agent',
  scopes: ['memories:read', 'memories:write'],
  tag: 'agent:help-desk',
  expires_at: null,
  requests_per_minute: 600,
  previous_until: null,
  last_used_at: null,
  uses: 0,
  created_at: AT,
  updated_at: AT,
};
const tenant = {
  id: TENANT_ID,
  name: 'help-desk',
  state: 'active',
  reason: null,
  limits: { requests_per_minute: null, writes_per_minute: null, memories: null, bytes: null },
  memories: 0,
  bytes: 0,
  counted_at: null,
  created_at: AT,
  updated_at: AT,
};
const ofTenant = { tenant_id: TENANT_ID };
const keySecret = 'plm_9hQ2vK7cTzB4nXwR0sLdE6yAfUj3mGpW1IoPzK'; // its checksum is wrong: it can be no key

const parameters = { webhook: WEBHOOK_ID };
const webhook = {
  id: WEBHOOK_ID,
  url: 'https://receiver.example/palimpsest',
  description: 'The search of the help desk',
  types: ['memory.stored', 'memory.updated', 'memory.deleted'],
  tags: ['help-desk'],
  enabled: true,
  disabled_reason: null,
  position: 14,
  lag_events: 0,
  failing_since: null,
  last_error: null,
  previous_secret_until: null,
  created_at: AT,
  updated_at: AT,
};
const secret = 'whsec_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE=';

export const maintenanceExamples = {
  consolidate: {
    body: { mode: 'decay', dry_run: true },
    reply: {
      status: 'success',
      consolidation: {
        mode: 'decay',
        dry_run: true,
        started_at: AT,
        completed_at: AT,
        success: true,
        steps: {
          decay: {
            processed: 3,
            changed: 1,
            avg_relevance_before: 0.5,
            avg_relevance_after: 0.48,
            distribution: { high: 0, medium: 3, low: 0, archive: 0 },
          },
        },
      },
    },
  },
  consolidationStatus: {
    reply: {
      status: 'success',
      next_runs: {
        decay: 'In 23 hours',
        creative: 'In 6 days',
        cluster: 'In 29 days',
        forget: 'Disabled',
        identity: 'Disabled',
      },
      history: [],
      thread_alive: true,
      tick_seconds: 60,
    },
  },
  syncIndex: {
    body: { dry_run: true },
    reply: {
      status: 'dry_run',
      neo4j_count: 3,
      falkordb_count: 3,
      qdrant_count: 3,
      missing_count: 0,
      orphaned_count: 0,
      stale_count: 0,
      missing_sample: [],
      orphaned_sample: [],
      stale_sample: [],
    },
  },
  reembed: {
    body: { limit: 10 },
    reply: {
      status: 'complete',
      processed: 3,
      failed: 0,
      skipped: 0,
      total: 3,
      batch_size: 32,
      metadata_preserved: true,
    },
  },
  rebuildGraph: { reply: { status: 'accepted', job } },
  getJob: { parameters: { job: JOB_ID }, reply: { status: 'success', job: finished } },
  listJobs: { reply: { status: 'success', jobs: [finished], count: 1 } },
  rebuildVectors: {
    body: { provider: 'bundled' },
    reply: { status: 'accepted', job: { ...vectorJob, kind: 'rebuild-vectors' } },
  },
  rollbackVectors: { reply: { status: 'accepted', job: { ...vectorJob, kind: 'rollback-vectors' } } },
  createKey: {
    body: { name: key.name, scopes: key.scopes, tag: key.tag, requests_per_minute: key.requests_per_minute },
    reply: { status: 'success', key, secret: keySecret },
  },
  listKeys: { reply: { status: 'success', keys: [key], count: 1 } },
  rotateKey: {
    parameters: { key_id: KEY_ID },
    body: { overlap_hours: 24 },
    reply: { status: 'success', key: { ...key, previous_until: AT }, secret: keySecret },
  },
  revokeKey: { parameters: { key_id: KEY_ID }, reply: { status: 'success', id: KEY_ID } },
  createTenant: { body: { name: tenant.name }, reply: { status: 'success', tenant } },
  listTenants: { reply: { status: 'success', tenants: [tenant], count: 1 } },
  createTenantKey: {
    parameters: ofTenant,
    body: { name: 'help-desk-admin', scopes: ['memories:read', 'memories:write', 'admin:keys'] },
    reply: {
      status: 'success',
      key: {
        ...key,
        name: 'help-desk-admin',
        scopes: ['memories:read', 'memories:write', 'admin:keys'],
        tag: null,
        requests_per_minute: null,
      },
      secret: `plm_${TENANT_ID.replaceAll('-', '')}9hQ2vK7cTzB4nXwR0sLdE6yAfUj3mGpW1IoPzK`,
    },
  },
  updateTenant: {
    parameters: ofTenant,
    body: { suspended: true, reason: 'The contract has ended.' },
    reply: {
      status: 'success',
      tenant: { ...tenant, state: 'suspended', reason: 'The contract has ended.' },
    },
  },
  deleteTenant: {
    parameters: ofTenant,
    reply: {
      status: 'success',
      id: TENANT_ID,
      finished: true,
      memories: 3,
      bytes: 614_400,
      remains: ['Backups that were made before: delete their files, or wait until they expire.'],
    },
  },
  createWebhook: {
    body: { url: webhook.url, description: webhook.description, types: webhook.types, tags: webhook.tags },
    reply: { status: 'success', webhook, secret },
  },
  listWebhooks: { reply: { status: 'success', webhooks: [webhook], count: 1 } },
  getWebhook: { parameters, reply: { status: 'success', webhook } },
  updateWebhook: {
    parameters,
    body: { enabled: false },
    reply: {
      status: 'success',
      webhook: { ...webhook, enabled: false, disabled_reason: 'Disabled by an administrator' },
    },
  },
  rotateWebhookSecret: {
    parameters,
    body: { overlap_hours: 24 },
    reply: { status: 'success', webhook: { ...webhook, previous_secret_until: AT }, secret },
  },
  replayWebhook: {
    parameters,
    body: { after: 0 },
    reply: { status: 'success', webhook: { ...webhook, position: 0, lag_events: 14 } },
  },
  listWebhookDeliveries: {
    parameters: { ...parameters, state: 'failing' },
    reply: {
      status: 'success',
      deliveries: [
        {
          position: 12,
          event_id: EVENT_ID,
          type: 'memory.stored',
          subject: TEA_ID,
          state: 'failing',
          attempts: 3,
          http_status: 503,
          error: 'The receiver answered 503',
          duration_ms: 41,
          first_attempt_at: AT,
          last_attempt_at: AT,
          next_attempt_at: AT,
        },
      ],
      count: 1,
      next: null,
    },
  },
  deleteWebhook: { parameters, reply: { status: 'success', id: WEBHOOK_ID } },
  backup: { parameters: { include: 'falkordb' }, reply: '(a tar.gz file)' },
  importRecords: {
    body: {
      memories: [
        {
          id: '0197281d-33c0-4e29-8f7b-0b54d6a1c914',
          content: 'The office moved to Oslo.',
          timestamp: '2025-11-03T09:00:00Z',
        },
      ],
    },
    reply: {
      status: 'success',
      memories: { stored: 1, existing: 0, refused: [] },
      associations: { stored: 0, existing: 0, refused: [] },
    },
  },
} as const satisfies Record<string, Example>;
