import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('a test run that has stopped PostgreSQL keeps its exit code', () => {
  const run = `
    const { startCluster } = await import('#tests/setup/engine.ts');
    const cluster = await startCluster();
    process.exitCode = 3;
    await cluster.stop();
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', run], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
});
