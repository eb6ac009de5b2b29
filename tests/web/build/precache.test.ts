// @vitest-environment node
import { expect, test } from 'vitest';
import { hostsOfFiles } from '#web/build/precache.ts';

const manifest = {
  'main.tsx': {
    file: 'assets/main.js',
    isEntry: true,
    imports: ['_base.js'],
    dynamicImports: ['portal/routes.tsx', 'tickets/routes.tsx', 'app/start.tsx'],
  },
  '_base.js': { file: 'assets/base.js', css: ['assets/base.css'] },
  '../../node_modules/react-dom/client.js': { file: 'assets/base.js', css: ['assets/base.css'] },
  'app/start.tsx': { file: 'assets/start.js', dynamicImports: ['../../node_modules/@sentry/react/index.js'] },
  'portal/routes.tsx': { file: 'assets/routes-p.js', dynamicImports: ['portal/orders.tsx'] },
  'portal/orders.tsx': { file: 'assets/orders.js', imports: ['_card.js'], css: ['assets/orders.css'] },
  'tickets/routes.tsx': { file: 'assets/routes-t.js', dynamicImports: ['tickets/pay.tsx'] },
  'tickets/pay.tsx': { file: 'assets/pay.js', imports: ['_card.js'] },
  '_card.js': { file: 'assets/card.js' },
  '../../node_modules/@sentry/react/index.js': { file: 'assets/reports.js' },
  '_lost.js': { file: 'assets/lost.js' },
};

test('each host precaches the files that its screens import, statically or dynamically', () => {
  const hosts = hostsOfFiles(manifest);
  for (const file of ['assets/base.css', 'assets/card.js'])
    expect(hosts.get(file), file).toEqual(['tickets', 'portal']);
  for (const file of ['assets/orders.js', 'assets/orders.css'])
    expect(hosts.get(file), file).toEqual(['portal']);
  expect(hosts.get('assets/pay.js')).toEqual(['tickets']);
});

test('no host precaches a script that its start script contains', () => {
  const hosts = hostsOfFiles(manifest);
  for (const name of ['main', 'base', 'start', 'routes-p', 'routes-t'])
    expect(hosts.has(`assets/${name}.js`), name).toBe(false);
});

test('no host precaches files that need a network or that no screen imports', () => {
  const hosts = hostsOfFiles(manifest);
  expect(hosts.has('assets/reports.js')).toBe(false);
  expect(hosts.has('assets/lost.js')).toBe(false);
});

test('the build fails if the entry does not import a host’s screens', () => {
  const entry = { ...manifest['main.tsx'], dynamicImports: ['tickets/routes.tsx'] };
  expect(() => hostsOfFiles({ ...manifest, 'main.tsx': entry })).toThrow('portal');
});
