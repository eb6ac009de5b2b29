import type { Manifest } from 'vite';
import { HOSTS, type Host } from '#contract/hosts.ts';
import { findHostChunks } from './manifest.ts';

/** Loaded on demand, and useless without a network, such as the screens of the office. */
const ONLINE_ONLY = [
  /reporting\/send-reports/,
  /analytics\/(tag-manager|session-recording)/,
  /@sentry\//,
  /@zxcvbn-ts\//,
  /staff\/(as-customer|audit|card-sales|customers|invoices|orders|people|privacy|reports|settings|timetable|work-list)\//,
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
  const chunks = findHostChunks(manifest, host, (key) => !ONLINE_ONLY.some((pattern) => pattern.test(key)));
  return new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]));
}
