// @vitest-environment node
import { expect, test } from 'vitest';
import { describeHost } from '#web/build/pages-plugin.ts';

const manifest = {
  'start-portal.ts': {
    file: 'assets/start.js',
    isEntry: true,
    imports: ['_react.js'],
    css: ['assets/start.css'],
  },
  '_react.js': { file: 'assets/react.js' },
  '_card.js': { file: 'assets/card.js', imports: ['_react.js'], css: ['assets/card.css'] },
  'portal/orders-screen.tsx': { file: 'assets/orders.js', imports: ['_card.js'], css: ['assets/orders.css'] },
};
const screens = [
  {
    path: '/orders/{id}',
    title: 'My Orders',
    module: 'portal/orders-screen.tsx',
    catalogue: 'portal/orders-screen',
  },
  { path: '/404', title: null, module: null, catalogue: null },
];

test('a page loads what its screen imports beside the host’s scripts, each file once', () => {
  expect(describeHost(manifest, 'portal', screens)).toEqual({
    entry: '/assets/start.js',
    scripts: ['/assets/react.js'],
    styles: ['/assets/start.css'],
    screens: [
      {
        path: '/orders/{id}',
        title: 'My Orders',
        catalogue: 'portal/orders-screen',
        scripts: ['/assets/card.js', '/assets/orders.js'],
        styles: ['/assets/card.css', '/assets/orders.css'],
      },
      { path: '/404', title: null, catalogue: null, scripts: [], styles: [] },
    ],
  });
});

test('the build fails for a screen that is not in its manifest', () => {
  const lost = [{ path: '/lost', title: null, module: 'portal/lost.tsx', catalogue: null }];
  expect(() => describeHost(manifest, 'portal', lost)).toThrow('portal/lost.tsx');
});
