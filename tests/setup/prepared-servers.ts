import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startServer } from '#tests/process/server-process.ts';
import { startCluster } from './engine.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be merged
  export interface ProvidedContext {
    /** Data folder of a server that was started and stopped once; to be copied. */
    preparedFolder: string;
    /** Connection of a cluster that has the database `prepared`, likewise; to be used as a template. */
    preparedCluster: string;
    /** Data folder of that cluster, halted; to be copied. */
    preparedData: string;
  }
}

/** Starts the product once on each engine, so that tests begin where a first start ends. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'gangway-prepared-'));
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  const cluster = await startCluster();
  const admin = new pg.Client({ connectionString: cluster.url });
  await admin.connect();
  await admin.query('create database prepared');
  await admin.end();
  const url = new URL(cluster.url);
  url.pathname = '/prepared';
  await Promise.all([
    startAndStop({ DATA_DIR: join(folder, 'embedded') }),
    startAndStop({ DATA_DIR: join(folder, 'postgres'), DATABASE_URL: url.href }),
  ]);
  await cluster.halt();
  cpSync(cluster.data, join(folder, 'cluster'), { recursive: true });
  await cluster.resume();
  project.provide('preparedData', join(folder, 'cluster'));
  project.provide('preparedFolder', join(folder, 'embedded'));
  project.provide('preparedCluster', cluster.url);
  return async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function startAndStop(env: Record<string, string>): Promise<void> {
  const server = await startServer(env);
  const code = await server.signal('SIGTERM');
  if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.stderr()}`);
}
