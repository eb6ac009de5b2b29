import type { Manifest } from 'vite';
import type { Host } from '#contract/page.ts';
import { ENTRY, findChunks } from './manifest.ts';

export const HOSTS: Host[] = ['tickets', 'portal'];

/** Loaded on demand, and useless without a network. */
const ONLINE_ONLY = [
  /reporting\/send-reports/,
  /analytics\/(tag-manager|session-recording)/,
  /@sentry\//,
  /@zxcvbn-ts\//,
];

/**
 * Which hosts need each file of the build: those whose route table reaches it, at once or on demand. Files that no
 * screen imports are missing.
 * @returns files as in the manifest, without a leading slash
 */
export function hostsOfFiles(manifest: Manifest): Map<string, Host[]> {
  const hosts = new Map<string, Host[]>();
  for (const host of HOSTS)
    for (const file of listFiles(manifest, host)) hosts.set(file, [...(hosts.get(file) ?? []), host]);
  return hosts;
}

function listFiles(manifest: Manifest, host: Host): Set<string> {
  const others = HOSTS.filter((each) => each !== host).map((other) => manifest[getRouteTable(other)]?.file);
  const isOfOthers = (file: string | undefined) => others.includes(file);
  const chunks = findChunks(manifest, [ENTRY], ({ file, imports = [], dynamicImports = [] }) => [
    ...imports,
    // A file with the other host's route table may also have modules that this host's screens import.
    ...(isOfOthers(file) ? [] : dynamicImports).filter(
      (key) => !isOfOthers(manifest[key]?.file) && !ONLINE_ONLY.some((pattern) => pattern.test(key)),
    ),
  ]);
  const files = new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]));
  if (!files.has(manifest[getRouteTable(host)]?.file ?? ''))
    throw new Error(`The entry does not reach the screens of ${host}.`);
  return files;
}

function getRouteTable(host: Host): string {
  return `${host}/routes.tsx`;
}
