import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { type Anchor, verifyAuditLog } from './verify-audit.ts';

type JobContext = Pick<Context, 'config' | 'db' | 'clock' | 'jobs' | 'log'>;

const FILE = 'audit-anchors.txt';

/** Checks the audit log once a day, and anchors it outside of the database. */
export async function registerAuditJobs(context: JobContext): Promise<void> {
  await context.jobs.work('anchor-audit-log', () => anchorAuditLog(context));
  await context.jobs.schedule('anchor-audit-log', '40 9 * * *');
}

/**
 * Writes the number and hash of the newest entry into a file, which `npm run doctor` compares, and into the process log,
 * which usually leaves the machine. A log that is not whole is reported as an error and not anchored.
 */
export async function anchorAuditLog({ config, db, clock, log }: Omit<JobContext, 'jobs'>): Promise<void> {
  const { problem, seq, last } = await verifyAuditLog(db, await readAnchors(config));
  if (problem !== null) {
    log.error('audit log not whole', { problem, entry: seq });
    return;
  }
  if (last === null) return;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const line = `${last.seq} ${last.hash} ${clock.now().toISOString()}\n`;
  await appendFile(join(config.dataDir, FILE), line, { mode: 0o600 });
  log.info('audit log anchored', { entry: last.seq, hash: last.hash });
}

/** The anchors that processes with this data folder have written; empty if there are none yet. */
export async function readAnchors({ dataDir }: Pick<Context['config'], 'dataDir'>): Promise<Anchor[]> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw error;
  });
  return [...text.matchAll(/^(\d+) ([0-9a-f]{64}) /gm)].map(([, seq, hash = '']) => ({
    seq: Number(seq),
    hash,
  }));
}
