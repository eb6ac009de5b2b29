import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#tests/setup/engine.ts';
import { newPostgresPlace, type Place } from './places.ts';
import { installForProduction, type ProductionInstall } from './production-install.ts';
import { endAll, environmentOf, launch, root, type ServerProcess, startServer } from './server-process.ts';

/*
 * The steps of docs/deploying.md "By hand, with systemd" without systemd: what the units in deploy/ start, as another user,
 * with deploy/environment.example filled in.
 */

let install: ProductionInstall;
let place: Place & { url: string };
let server: ServerProcess;
let instance: number;
beforeAll(async () => {
  install = installForProduction();
  place = await newPostgresPlace({ isEmpty: true });
  instance = await findInstance();
  const env = environmentOfUnit('gangway@.service');
  server = await startServer(env, install.app, install.runAs);
});
afterAll(async () => {
  await endAll();
  await place?.remove();
  install.remove();
});

const readUnit = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');
const EXAMPLE = readFileSync(join(root, 'deploy/environment.example'), 'utf8');
/** What the operator fills in, beside the database. */
const FILLED_IN: Record<string, string> = {
  APP_SECRET: 'a secret of at least thirty-two characters',
  STRIPE_SECRET_KEY: 'sk_live_51NotARealKeyOfAnybody',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_51NotARealKeyOfAnybody',
  STRIPE_WEBHOOK_SECRET: 'whsec_not_a_real_secret',
  // Nothing is mailed in these tests, so nothing listens there.
  SMTP_URL: 'smtp://127.0.0.1:9',
};

/** A port whose metrics can have the port that the unit makes of it. */
async function findInstance(): Promise<number> {
  for (;;) {
    const port = (await freePort()) - 10_000;
    if (port > 1024 && port < 10_000) return port;
  }
}

/** The variables of a file, without the quotes that systemd removes. */
function readEnvironment(text: string): Record<string, string> {
  const lines = text.matchAll(/^([A-Z_]+)=(?:"(.*)"|(.*))$/gm);
  return Object.fromEntries([...lines].map(([, name, quoted, plain]) => [name, quoted ?? plain ?? '']));
}

/** Of the environment file and the unit, with folders of this test in place of those in /var. */
function environmentOfUnit(name: string): Record<string, string> {
  const set = [...readUnit(name).matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) =>
    line.split(' '),
  );
  const ofUnit = Object.fromEntries(
    set.map((each) => each.replaceAll('%i', String(instance)).split('=') as [string, string]),
  );
  const folders = Object.entries(ofUnit).filter(([, value]) => value.startsWith('/var/'));
  return {
    ...readEnvironment(EXAMPLE),
    ...FILLED_IN,
    DATABASE_URL: place.url,
    ...ofUnit,
    ...Object.fromEntries(
      folders.map(([key, path]) => [key, install.newDataFolder(path.replaceAll('/', '-'))]),
    ),
  };
}

test('the service serves the hosts of the environment file on its port, and its metrics beside it', async () => {
  expect(server.port).toBe(instance);
  for (const host of ['tickets.example.com', 'my.example.com']) {
    expect((await server.send('/', { host })).status).toBe(200);
  }
  const metrics = await fetch(`http://127.0.0.1:1${instance}/metrics`);
  expect(await metrics.text()).toContain('gangway_database_up 1');
});

test('a service with a wrong environment ends with the code that systemd does not repeat', async () => {
  const code = Number(/RestartPreventExitStatus=(\d+)/.exec(readUnit('gangway@.service'))?.[1]);
  const env = { ...environmentOf({}), ...readEnvironment(EXAMPLE), NODE_ENV: 'production' };
  const wrong = await launch({ ...env, DATABASE_URL: place.url }, install.app, install.runAs);
  expect(await wrong.exited).toBe(code);
  expect(wrong.stderr()).toContain('Production needs the STRIPE_ keys.');
});

test('the backup service writes a complete backup, named by its time, and the doctor finds it', async () => {
  const folder = install.newDataFolder('backups');
  const [, command = ''] = /^ExecStart=\/bin\/sh -c '(.+)'$/m.exec(readUnit('gangway-backup.service')) ?? [];
  const inShell = command
    .replaceAll('%%', '%')
    .replace('/usr/bin/node', install.runAs.program ?? '')
    .replace('/var/backups/gangway', folder);
  const env = environmentOfUnit('gangway-backup.service');
  expect((await runAs('/bin/sh', ['-c', inShell], env)).output).toMatch(/^\d+ rows in /);
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{4}\.gz$/)]);

  const { scripts } = JSON.parse(readFileSync(join(install.app, 'package.json'), 'utf8'));
  const [, ...args] = scripts.doctor.split(' ');
  const doctor = await runAs(install.runAs.program ?? '', [...args, '--offline'], env);
  expect(doctor.exitCode).toBe(1);
  expect(doctor.output).toContain('timetable');
  expect(doctor.output).not.toMatch(/backup|APP_SECRET|sandbox|at file:/i);
});

/** Runs a program with the packages of the install, as its user. */
async function runAs(program: string, args: string[], env: Record<string, string>) {
  const { uid, gid } = install.runAs;
  const user = uid === undefined || gid === undefined ? {} : { uid, gid };
  const child = spawn(program, args, { ...user, cwd: install.app, env: environmentOf(env) });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { output, exitCode };
}
