// @vitest-environment node
import { expect, test } from 'vitest';
import { describeHost } from '#web/build/pages-plugin.ts';

const manifest = {
  'main.tsx': { file: 'assets/main.js', isEntry: true, imports: ['_react.js'], css: ['assets/main.css'] },
  '_react.js': { file: 'assets/react.js' },
  '../../node_modules/react-dom/client.js': { file: 'assets/react.js' },
  'app/start.tsx': { file: 'assets/main.js', isEntry: true, imports: ['_react.js'] },
  '_card.js': { file: 'assets/card.js', imports: ['_react.js'], css: ['assets/card.css'] },
  'portal/routes.tsx': { file: 'assets/routes.js', imports: ['main.tsx'] },
  'portal/orders.tsx': { file: 'assets/orders.js', imports: ['_card.js'], css: ['assets/orders.css'] },
};
const screens = [
  { path: '/orders/{id}', title: 'My Orders', module: 'portal/orders.tsx' },
  { path: '/404', title: null, module: null },
];

test('a page loads what its screen imports beside the start script, each file once', () => {
  expect(describeHost(manifest, 'portal', screens)).toEqual({
    styles: ['/assets/main.css'],
    screens: [
      {
        path: '/orders/{id}',
        title: 'My Orders',
        scripts: ['/assets/card.js', '/assets/orders.js'],
        styles: ['/assets/card.css', '/assets/orders.css'],
      },
      { path: '/404', title: null, scripts: [], styles: [] },
    ],
  });
});

test('the build fails for a screen that is not in its manifest', () => {
  const lost = [{ path: '/lost', title: null, module: 'portal/lost.tsx' }];
  expect(() => describeHost(manifest, 'portal', lost)).toThrow('portal/lost.tsx');
});
