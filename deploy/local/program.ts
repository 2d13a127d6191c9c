/** What the launcher needs to know of anything it runs: a server, a process of ours or the gateway. */
import type { Environment } from '../../shared/kernel/config.js';
import type { Tool } from './find-tools.js';
import type { ProcessRecord } from './process-record.js';

export interface Program {
  readonly name: string;
  /** Servers start first, then our processes, then the gateway; they stop the other way round. */
  readonly kind: 'server' | 'process' | 'gateway';
  readonly port: number;
  /** What to set when the port is taken. */
  readonly portVariable: string;
  /** What asks it to end in order. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  /** The folders that `reset` deletes. */
  readonly dataFolders: readonly string[];
  /** What it cannot be installed or run without. */
  readonly tools: readonly Tool[];
  /** Fetches what is missing; costs nothing when it is all there. */
  install(): Promise<void>;
  /** Makes ready what a first start needs, and says which command runs it in the foreground. `previous` is what it last ran as; that is gone. */
  launch(previous: ProcessRecord | null): Promise<Command>;
  /** One request in its own protocol to `port`. Never throws, and answers within HEALTH_TIMEOUT_MS. */
  isHealthy(port: number): Promise<boolean>;
}

export type Command = {
  readonly file: string;
  readonly arguments: readonly string[];
  /** All of it; the launcher's own unless given. */
  readonly environment?: Environment;
  /** The user that it runs as, where that is not the launcher's own. */
  readonly user?: SystemUser;
  readonly workingFolder?: string;
};

export type SystemUser = { readonly uid: number; readonly gid: number };
