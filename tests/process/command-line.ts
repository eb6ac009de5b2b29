import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, node, root, V8_FLAGS } from './server-process.ts';

const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;

export type Finished = { stdout: string; stderr: string; exitCode: number | null };

/** Runs one of package.json's operator commands in a separate process, like `npm run NAME -- ARGS`. */
export function runNpmScript(
  name: string,
  args: readonly string[],
  { env, cwd = root }: { env: Record<string, string>; cwd?: string },
): Promise<Finished> {
  const [program, ...fixed] = (scripts[name] ?? '').split(' ');
  if (program !== 'node') throw new Error(`${name} is not a script that node runs.`);
  // Unlike npm, the tests leave the working directory as it is.
  const resolved = fixed.map((part) => (part.includes('/') ? join(root, part) : part));
  const child = spawn(node, [...V8_FLAGS, ...resolved, ...args], {
    cwd,
    env: environmentOf(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ ...printed, exitCode }));
  });
}
