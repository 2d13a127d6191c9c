/**
 * Opens the service of one tenant over its own folder: the engines, the committer and every layer. Nothing in it knows
 * another tenant.
 */
import { createGuardedCommitter } from '../../command-api/guarded-committer.js';
import { startCleaning } from '../../command-api/start-cleaning.js';
import { createStepwiseCommitter } from '../../command-api/stepwise-committer.js';
import { createTenantCommitter } from '../../command-api/tenant-committer.js';
import { warmUpEncoder } from '../../shared/engines/models/bundled/warm-up.js';
import { watchMark } from '../../shared/integrity/journal-mark/watch-mark.js';
import { createResources } from '../../shared/kernel/concurrency/resources.js';
import type { Tenant } from '../../shared/ports/tenants.js';
import { type ComposedService, composeService, type ServiceOptions } from './compose-service.js';
import type { EmbeddedConfig } from './config.js';
import type { Engines } from './engines.js';
import { openEngines, type Opening } from './open-engines.js';

export type OpenService = ComposedService & {
  readonly engines: Engines & Pick<Awaited<ReturnType<typeof openEngines>>, 'tenants' | 'checkMark'>;
  /** Resolves when the first caller waits neither for the encoder nor for the word index. */
  readonly warmUp: () => Promise<void>;
  /** Projectors finish their batch, then the engines close in the reverse order of their opening. */
  readonly close: () => Promise<void>;
};

export type OpenServiceOptions = Omit<Opening, 'resources'> &
  Pick<ServiceOptions, 'version' | 'ids' | 'openRequests'> & {
    readonly config: EmbeddedConfig;
    /** Null: the default one. */
    readonly tenant: Pick<Tenant, 'id' | 'name'> | null;
    /** Made of the engines of the default tenant. */
    readonly administration?: (engines: OpenService['engines']) => ServiceOptions['tenants'];
    /** Wraps engines before they are used: tests make one fail in this way. */
    readonly alter?: ((engines: Engines) => Engines) | undefined;
  };

export async function openService({
  alter,
  administration = () => null,
  ...options
}: OpenServiceOptions): Promise<OpenService> {
  const { logger, tenant } = options;
  const resources = createResources();
  try {
    const { createCommitter, eraseRest, wordsLoaded, ...opened } = await openEngines({ ...options, resources });
    const engines: OpenService['engines'] = { ...opened, ...alter?.(opened) };
    const watch = resources.add(await watchMark({ checkMark: engines.checkMark, logger }), (started) =>
      started.close(),
    );
    const committer = createGuardedCommitter(
      createCommitter({ publisher: opened.stream, logger, metrics: options.metrics }),
      watch.requireSameJournal,
    );
    const giveWay = options.openRequests.giveWayOf(tenant?.id ?? '');
    const cleaning = { graph: () => engines.graphWriter.clearHub(), journal: eraseRest };
    resources.add(startCleaning({ ...cleaning, logger }), (started) => started.close());
    const service = await composeService({
      ...options,
      engines,
      tenants: administration(engines),
      committer: createTenantCommitter(createStepwiseCommitter(committer, giveWay), tenant?.name ?? null),
      graphState: watch,
      instance: 'embedded',
      resources,
    });
    return {
      ...service,
      engines,
      warmUp: async () => void (await Promise.all([warmUpEncoder(engines.embedder, logger), wordsLoaded()])),
      close: () => resources.close(),
    };
  } catch (error) {
    await resources.close();
    throw error;
  }
}
