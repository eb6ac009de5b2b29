import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { newFolder, node, type RunAs, root } from './server-process.ts';

/** `runAs`: the user who runs it, who does not own the files. */
export type ProductionInstall = {
  app: string;
  runAs: RunAs;
  /** A folder that the user can write to. */
  newDataFolder(name: string): string;
  remove(): void;
};

/** Copies what the last stage of the Dockerfile copies. */
export function installForProduction(): ProductionInstall {
  const folder = newFolder();
  const app = join(folder, 'app');
  mkdirSync(app);
  chmodSync(folder, 0o755);
  copyFiles(app);
  return {
    app,
    runAs: chooseUser(folder, app),
    newDataFolder(name) {
      const data = join(folder, name);
      mkdirSync(data);
      if (isRoot) chownSync(data, OTHER_USER.uid, OTHER_USER.gid);
      return data;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function copyFiles(app: string): void {
  const copies = readDockerfile().flatMap((line) => {
    const [, stage, files = ''] = /^COPY --from=(\w+) (.+)$/.exec(line) ?? [];
    const paths = files.split(' ').slice(0, -1);
    return stage === undefined ? [] : paths.map((path) => ({ stage, path: path.replace('/app/', '') }));
  });
  for (const { path } of copies.filter(({ stage }) => stage === 'build')) {
    cpSync(join(root, path), join(app, path), { recursive: true });
  }
  const isOfPackages = ({ stage }: { stage: string }) => stage === 'packages';
  if (copies.filter(isOfPackages).some(({ path }) => path !== 'node_modules')) {
    throw new Error('The stage of packages is for node_modules alone.');
  }
  for (const path of listProductionPackages()) copyPackage(app, path);
}

function chooseUser(folder: string, app: string): RunAs {
  const program = join(folder, 'node');
  cpSync(realpathSync(node), program);
  if (isRoot) return { program, ...OTHER_USER };
  execFileSync('chmod', ['-R', 'a-w', app]);
  return { program };
}

/** The ids of an unprivileged user; they need no account. */
const OTHER_USER = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

export function readDockerfile(): string[] {
  return readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n');
}

/** The folders that `npm ci --omit=dev` installs. It leaves out optional packages for other systems. */
function listProductionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; devOptional?: true; optional?: true }>;
  };
  return Object.entries(packages).flatMap(([path, { dev, devOptional, optional }]) =>
    path === '' || dev || devOptional || (optional && !existsSync(join(root, path))) ? [] : [path],
  );
}

/** Hard links where the file systems allow it, because the packages have 200 MB. */
function copyPackage(app: string, path: string): void {
  const [from, to] = [join(root, path), join(app, path)];
  mkdirSync(dirname(to), { recursive: true });
  const linked = spawnSync('cp', ['-alT', from, to]);
  if (linked.status !== 0) cpSync(from, to, { recursive: true });
}
