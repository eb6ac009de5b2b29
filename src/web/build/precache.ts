import type { Manifest } from 'vite';
import type { Host } from '#contract/pages.ts';

const ENTRY = 'index.html';
const HOSTS: readonly Host[] = ['tickets', 'portal'];

/**
 * Which hosts want each file of the build, by what their route tables reach, now or on demand. A file that is
 * not in the answer is reached by no screen's imports: nothing a screen needs to be shown.
 * @returns files as in the manifest, without a leading slash
 */
export function hostsOfFiles(manifest: Manifest): Map<string, Host[]> {
  const hosts = new Map<string, Host[]>();
  for (const host of HOSTS)
    for (const file of filesOf(manifest, host)) hosts.set(file, [...(hosts.get(file) ?? []), host]);
  return hosts;
}

function filesOf(manifest: Manifest, host: Host): Set<string> {
  const others = HOSTS.filter((each) => each !== host).map(tableOf);
  const files = new Set<string>();
  const seen = new Set<string>();
  function visit(key: string): void {
    if (seen.has(key) || others.includes(key) || ONLINE_ONLY.some((pattern) => pattern.test(key))) return;
    seen.add(key);
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The manifest has no ${key}.`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) visit(next);
  }
  visit(ENTRY);
  if (!seen.has(tableOf(host))) throw new Error(`The entry does not reach the screens of ${host}.`);
  return files;
}

function tableOf(host: Host): string {
  return `${host}/routes.tsx`;
}

/** Loaded on demand, and of no use without a network: error reports leave by it, and so does each of these. */
const ONLINE_ONLY = [
  /reporting\/send-reports/,
  /analytics\/(tag-manager|session-recording)/,
  /@sentry\//,
  /@zxcvbn-ts\//,
];
