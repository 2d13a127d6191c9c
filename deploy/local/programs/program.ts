/** A program that the launcher runs: a server, a process of ours or the gateway. */
import type { Environment } from '../../../shared/kernel/config/config.js';

/** A program that must be on this machine. */
export type Tool = 'java' | 'mvn' | 'python3';

export type ProcessRecord = { readonly pid: number; readonly birth: string; readonly port: number };

export interface Program {
  readonly name: string;
  /** Servers start first, then our processes, then the gateway; they stop in reverse order. */
  readonly kind: 'server' | 'process' | 'gateway';
  readonly port: number;
  /** The signal for an orderly stop. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  /** The folders that `reset` deletes. */
  readonly dataFolders?: readonly string[];
  /** The tools that its installation or its run needs. */
  readonly tools?: readonly Tool[];
  /** Downloads missing files; costs nothing when the program is installed. Absent where nothing is downloaded. */
  install?(): Promise<void>;
  /** Prepares the first start, and returns the command. `previous`: the record of the last process, which has ended. */
  launch(previous: ProcessRecord | null): Promise<Command>;
  /** Sends one request in its own protocol to `port`. Never throws, and answers within HEALTH_TIMEOUT_MS. */
  isHealthy(port: number): Promise<boolean>;
}

export type Command = {
  readonly file: string;
  readonly arguments: readonly string[];
  /** The complete environment; default: the launcher's own. */
  readonly environment?: Environment;
  /** The user of the process; default: the launcher's own. */
  readonly user?: SystemUser;
  readonly workingFolder?: string;
};

export type SystemUser = { readonly uid: number; readonly gid: number };

/** A problem that prevents a launch, and how a person can solve it. The message is shown without a stack. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}
