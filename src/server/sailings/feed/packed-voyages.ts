import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PlannedVoyage } from './departures.ts';

/** The fastest level: voyages repeat so much that others hardly save more. */
const LEVEL = 1;

export function packVoyages(voyages: readonly PlannedVoyage[]): Uint8Array {
  return deflateRawSync(JSON.stringify(voyages), { level: LEVEL });
}

export function unpackVoyages(packed: Uint8Array): PlannedVoyage[] {
  return JSON.parse(inflateRawSync(packed).toString());
}
