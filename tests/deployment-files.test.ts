import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

/*
 * The files in deploy/ as the programs read them that they are for, where these are installed; what holds without them is
 * checked always. `tests/process/systemd.test.ts` and `tests/process/caddy.test.ts` run them.
 */

const folder = mkdtempSync(join(tmpdir(), 'gangway-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string) => readFileSync(name, 'utf8');

/** Runs a program that must accept its input. */
function run(program: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect(`${status} ${stdout}${stderr}`, `${program} ${args.join(' ')}`).toMatch(/^0 /);
}

function isInstalled(program: string, ...args: string[]): boolean {
  return spawnSync(program, args).status === 0;
}

describe('the units of systemd', () => {
  const UNITS = readdirSync('deploy').filter((name) => /\.(service|timer)$/.test(name));

  test('run the scripts of the product, and keep a start that cannot succeed from being repeated', () => {
    const service = read('deploy/gangway@.service');
    const commands = UNITS.flatMap((name) => [...read(`deploy/${name}`).matchAll(/src\/[\w./-]+/g)].flat());
    expect(commands.toSorted()).toEqual([
      'src/server/commands/back-up.ts',
      'src/server/main.js',
      'src/server/module-loading.js',
    ]);
    const exitCode = /EXIT_CONFIG = (\d+)/.exec(read('src/server/server.ts'))?.[1];
    expect(service).toContain(`\nRestartPreventExitStatus=${exitCode}\n`);
    const seconds = (name: string) => Number(RegExp(`${name}=(\\d+)`).exec(service)?.[1]);
    expect(seconds('TimeoutStopSec')).toBeGreaterThan(seconds('DRAIN_SECONDS') + 10);
  });

  test.runIf(isInstalled('systemd-analyze', '--version'))(
    'are accepted by systemd, which rates what a service may do as low',
    () => {
      for (const name of UNITS) {
        // Verification looks for the program, which may be elsewhere on this machine.
        const unit = read(`deploy/${name}`).replaceAll('/usr/bin/node', process.execPath);
        writeFileSync(join(folder, name.replace('@', '@8081')), unit);
      }
      const paths = UNITS.map((name) => join(folder, name.replace('@', '@8081')));
      run('systemd-analyze', 'verify', ...paths);
      for (const path of paths.filter((each) => each.endsWith('.service'))) {
        run('systemd-analyze', 'security', '--offline=true', '--threshold=20', path);
      }
    },
  );
});

describe('compose.yaml', () => {
  const COMPOSE = [['docker', 'compose'], ['docker-compose'], ['podman-compose']].find(
    ([program = '', ...args]) => isInstalled(program, ...args, 'version'),
  );

  test('has two server processes, their database, proxy and mail server, in pinned images', () => {
    const [, services = ''] = /^services:\n([\s\S]+?)^\w/m.exec(read('compose.yaml')) ?? [];
    const names = [...services.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name);
    expect(names).toEqual(['app-1', 'app-2', 'proxy', 'database', 'mail']);
    const images = [...services.matchAll(/^ {4}image: (.+)$/gm)].map(([, image]) => image);
    expect(images.filter((image) => !/:v?\d/.test(image ?? ''))).toEqual([]);
    const volumes = [...read('compose.yaml').matchAll(/\["?([\w-]+):\//g)].map(([, name]) => name);
    for (const name of volumes) expect(read('compose.yaml')).toMatch(RegExp(`^ {2}${name}:$`, 'm'));
  });

  test.runIf(COMPOSE)('is accepted by compose, also with the environment of a real install', () => {
    const [program = '', ...args] = COMPOSE ?? [];
    for (const file of ['compose.yaml', 'Dockerfile']) cpSync(file, join(folder, file));
    run(program, ...args, '-f', join(folder, 'compose.yaml'), 'config');
    cpSync('deploy/environment.example', join(folder, '.env'));
    run(program, ...args, '-f', join(folder, 'compose.yaml'), 'config');
  });
});

test.runIf(isInstalled('caddy', 'version'))('the Caddyfile is accepted by Caddy', () => {
  run('caddy', 'validate', '--adapter', 'caddyfile', '--config', 'deploy/Caddyfile');
});

describe('what watches', () => {
  const rules = read('deploy/alerts.yaml');
  const dashboard = JSON.parse(read('deploy/grafana-dashboard.json'));
  const panels: {
    id: number;
    title: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets: { refId: string; expr: string }[];
  }[] = dashboard.panels;
  const hasPromtool = isInstalled('promtool', '--version');

  test('has an alert for each line of the operating manual, and a text for each alert', () => {
    const alerts = [...rules.matchAll(/- alert: Gangway(\w+)$/gm)].map(([, name = '']) => name);
    const [, table = ''] = /\| Alert \|[^\n]+\n([\s\S]+?)\n\n/.exec(read('docs/operating.md')) ?? [];
    const described = [...table.matchAll(/^\| ([\w, ]+) \|/gm)].flatMap(([, names = '']) =>
      names.split(', '),
    );
    expect(described.toSorted()).toEqual(alerts.toSorted());
    expect(rules.match(/annotations: \{ summary: ".+" \}/g)).toHaveLength(alerts.length);
    expect(rules.match(/^ {8}expr: /gm)).toHaveLength(alerts.length);
  });

  test('shows every panel of the dashboard in a place of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { title, gridPos, targets } of panels) {
      expect(title).not.toBe('');
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
  });

  test.runIf(hasPromtool)('has rules and queries that Prometheus accepts', () => {
    run('promtool', 'check', 'rules', 'deploy/alerts.yaml');
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const annotations = dashboard.annotations.list.map(({ expr }: { expr: string }) => expr);
    const asRules = [...queries, ...annotations].map((expr, index) => ({ record: `query_${index}`, expr }));
    // JSON is YAML.
    const file = join(folder, 'queries.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: asRules }] }));
    run('promtool', 'check', 'rules', file);
  });
});
