import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { readConfig } from './config.ts';

/*
 * `npm run dev`: Vite serves the modules of the web app from this process, and the server runs in a child process, which
 * is restarted when one of its files changes. Vite and its cache survive a restart, and the next child process has loaded
 * its packages before it is needed.
 */

const WATCHED = ['server', 'sandbox', 'contract', 'domain'].map((folder) =>
  fileURLToPath(new URL(`../${folder}`, import.meta.url)),
);
const STANDBY = fileURLToPath(new URL('./standby.js', import.meta.url));
/** Changes within this time of the first, such as all files of a checkout, cause one restart. */
const SETTLE_MS = 50;

// A separate port, which browsers use only for modules and hot reload.
const port = readConfig().port + 1;
const vite = await createServer({
  server: { host: '127.0.0.1', port, strictPort: true, hmr: { host: '127.0.0.1', clientPort: port } },
  appType: 'mpa',
});
let packages: string[] = [];
let standby: ChildProcess | null = null;
let server = start();
let restarting: Promise<void> | null = null;
let isStopping = false;
for (const folder of WATCHED) watch(folder, { recursive: true }, () => void restart());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
await vite.listen();

/** A process that starts as the next server. */
function prepare(): ChildProcess {
  // Space for the garbage of a start, which is otherwise collected many times.
  return fork(STANDBY, ['--dev', ...packages], { execArgv: ['--min-semi-space-size=16'] });
}

function start(): ChildProcess {
  const child = standby?.connected ? standby : prepare();
  standby = null;
  child.send('start');
  child.on('message', (message: 'ready' | string[]) => {
    if (message === 'ready') return vite.ws.send({ type: 'full-reload' });
    packages = message;
    standby ??= prepare();
  });
  child.once('exit', (code) => {
    if (code !== 0 && !isStopping)
      process.stdout.write('The server ended. A changed file starts it again.\n');
  });
  return child;
}

function restart(): Promise<void> {
  restarting ??= (async () => {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    restarting = null;
    const ended = server;
    await end(ended);
    if (isStopping || server !== ended) return;
    process.stdout.write('Restarting the server.\n');
    server = start();
  })();
  return restarting;
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await Promise.all([end(server), ...(standby ? [end(standby)] : []), vite.close()]);
  process.exit(0);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
