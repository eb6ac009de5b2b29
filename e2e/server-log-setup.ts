import { readFileSync } from 'node:fs';
import { failedJobs } from '#tests/process/server-process.ts';

/** Fails the run at its end when a background job of the tested server failed. */
export default function setup(): () => void {
  return () => {
    const failed = failedJobs(readFileSync(process.env.E2E_SERVER_LOG ?? '', 'utf8'));
    if (failed.length > 0) throw new Error(`Jobs failed:\n${failed.map(({ line }) => line).join('\n')}`);
  };
}
