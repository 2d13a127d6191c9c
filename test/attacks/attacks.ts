/** Every attack, in the order in which the suite runs them. */
import type { Attack } from './attack.js';
import { backgroundAttacks } from './background.js';
import { bodyAttacks } from './body.js';
import { connectionAttacks } from './connection.js';
import { graphAttacks } from './graph.js';
import { jobAttacks } from './jobs.js';
import { mcpAttacks } from './mcp.js';
import { queryAttacks } from './query.js';

export const ATTACKS: readonly Attack[] = [
  ...connectionAttacks,
  ...bodyAttacks,
  ...queryAttacks,
  ...graphAttacks,
  ...jobAttacks,
  ...mcpAttacks,
  ...backgroundAttacks,
];
