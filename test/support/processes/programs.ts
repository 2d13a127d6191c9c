/** Finds programs of this machine that tests run, and their open ports. */
import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';

/** Debian installs servers in a folder that is not on the PATH of normal users. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The path of the program, or null if the machine has none. */
export function findProgram(name: string): string | null {
  return FOLDERS.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

/** True when a loopback port accepts a connection. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false))
      .once('connect', () => socket.destroy());
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
