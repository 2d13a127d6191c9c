/** The embedded composition: the whole service in one process over one folder, which is the embedded engines, their committer and every room. */
import { createSqliteCommitter } from '../../shared/commit/sqlite/create-sqlite-committer.js';
import type { Embedder } from '../../shared/embedding/embedder.js';
import type { Clock, Ids } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createResources } from '../../shared/kernel/resources.js';
import { composeService, type Composed, type Engines } from './compose-service.js';
import type { EmbeddedConfig } from './config.js';
import { openEngines } from './open-engines.js';

export type Embedded = Composed & {
  /** Projectors finish their batch, then engines close in reverse order of their opening. */
  readonly close: () => Promise<void>;
};

export type EmbeddedOptions = {
  readonly config: EmbeddedConfig;
  readonly version: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Takes the place of the configured one. */
  readonly embedder?: Embedder;
  /** Puts something between the engines and those who use them: how tests break one. */
  readonly alter?: (engines: Engines) => Engines;
};

export async function createEmbedded({ embedder, alter, ...options }: EmbeddedOptions): Promise<Embedded> {
  const { config, logger, clock } = options;
  const resources = createResources();
  try {
    const { host, ...opened } = await openEngines({
      config,
      logger,
      resources,
      ...(embedder === undefined ? {} : { embedder }),
    });
    const committer = createSqliteCommitter({ host, clock, publisher: opened.stream, logger });
    const composed = await composeService({
      ...options,
      engines: alter?.(opened) ?? opened,
      committer,
      instance: 'embedded',
      resources,
    });
    return { ...composed, close: () => resources.close() };
  } catch (error) {
    await resources.close();
    throw error;
  }
}
