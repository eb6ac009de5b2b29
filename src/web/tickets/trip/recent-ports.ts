import { readStoredJson, writeStored } from '#web/platform/browser-storage.ts';

const KEY = 'recent-ports';
const KEPT = 4;

/** Ids of the ports of this browser's last searches, the latest first. */
export function readRecentPorts(): string[] {
  const stored = readStoredJson(KEY);
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
}

export function rememberPorts(...ids: readonly string[]): void {
  const others = readRecentPorts().filter((id) => !ids.includes(id));
  writeStored(KEY, JSON.stringify([...ids, ...others].slice(0, KEPT)));
}
