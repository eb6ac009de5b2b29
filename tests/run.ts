import { spawn } from 'node:child_process';

/* `npm test`: the build, which the tests of the second list need, runs beside the first list. */
const building = runScript('build', { isHidden: true });
for (const name of ['lint', 'types', 'unit']) await mustPass(runScript(name));
await mustPass(building);
for (const name of ['built', 'e2e']) await mustPass(runScript(name));

type Result = { exitCode: number; hiddenOutput: string };

/** @param options isHidden: its output is not mixed with that of the scripts beside it */
function runScript(name: string, { isHidden = false } = {}): Promise<Result> {
  const child = spawn('npm', ['run', name], { stdio: isHidden ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
  let hiddenOutput = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      hiddenOutput += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ exitCode: code ?? 1, hiddenOutput }));
  });
}

async function mustPass(result: Promise<Result>): Promise<void> {
  const { exitCode, hiddenOutput } = await result;
  if (exitCode === 0) return;
  process.stdout.write(hiddenOutput);
  process.exit(exitCode);
}
