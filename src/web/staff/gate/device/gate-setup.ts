import { readStoredJson, writeStored } from '#web/platform/browser-storage.ts';

/** What this device is: kept over sign-outs, because the next person takes it over. */
export type GateSetup = {
  /** Code of the port. */
  port: string;
  /** As people call the device: "Ramp 1". */
  name: string;
};

const KEY = 'gate-device';

/** Null on a device that was not set up. */
export function readSetup(): GateSetup | null {
  const stored = readStoredJson(KEY);
  if (typeof stored !== 'object' || stored === null) return null;
  const { port, name } = stored as Partial<GateSetup>;
  return typeof port === 'string' && typeof name === 'string' ? { port, name } : null;
}

export function saveSetup(setup: GateSetup): void {
  writeStored(KEY, JSON.stringify(setup));
}
