// @vitest-environment node
import { expect, test } from 'vitest';
import { hostsOfFiles } from '#web/build/precache.ts';

const manifest = {
  'start-portal.ts': {
    file: 'assets/start-p.js',
    isEntry: true,
    imports: ['_base.js'],
    dynamicImports: ['portal/orders.tsx', '../../node_modules/@sentry/react/index.js'],
  },
  'start-tickets.ts': {
    file: 'assets/start-t.js',
    isEntry: true,
    imports: ['_base.js'],
    dynamicImports: ['tickets/pay.tsx'],
  },
  'start-staff.ts': { file: 'assets/start-s.js', isEntry: true },
  '_base.js': { file: 'assets/base.js', css: ['assets/base.css'] },
  'portal/orders.tsx': { file: 'assets/orders.js', imports: ['_card.js'], css: ['assets/orders.css'] },
  'tickets/pay.tsx': { file: 'assets/pay.js', imports: ['_card.js'] },
  '_card.js': { file: 'assets/card.js' },
  '../../node_modules/@sentry/react/index.js': { file: 'assets/reports.js' },
  '_lost.js': { file: 'assets/lost.js' },
};

test('each host precaches the files that its screens import, statically or dynamically', () => {
  const hosts = hostsOfFiles(manifest);
  for (const file of ['assets/base.js', 'assets/base.css', 'assets/card.js'])
    expect(hosts.get(file), file).toEqual(['tickets', 'portal']);
  for (const file of ['assets/start-p.js', 'assets/orders.js', 'assets/orders.css'])
    expect(hosts.get(file), file).toEqual(['portal']);
  expect(hosts.get('assets/pay.js')).toEqual(['tickets']);
});

test('no host precaches files that need a network or that no screen imports', () => {
  const hosts = hostsOfFiles(manifest);
  expect(hosts.has('assets/reports.js')).toBe(false);
  expect(hosts.has('assets/lost.js')).toBe(false);
});

test('the build fails if a host has no entry', () => {
  const { 'start-portal.ts': _, ...others } = manifest;
  expect(() => hostsOfFiles(others)).toThrow('start-portal.ts');
});
