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
  '_list.js': { file: 'assets/list.js', css: ['assets/list.css'] },
  'portal/orders/orders-screen.tsx': {
    file: 'assets/orders.js',
    imports: ['_list.js', '_card.js'],
    css: ['assets/orders.css'],
  },
  'portal/trip-cards/trip-cards-screen.tsx': { file: 'assets/cards.js', imports: ['_list.js'] },
  'portal/account.tsx': {
    file: 'assets/account.js',
    imports: ['_list.js', '_card.js'],
    css: ['assets/account.css'],
  },
};
const screens = [
  { path: '/orders/{id}', title: 'My Orders', module: 'portal/orders/orders-screen.tsx' },
  { path: '/account', title: 'Account', module: 'portal/account.tsx' },
  { path: '/404', title: null, module: null },
];

test('a page loads what its screen imports beside the start script, each file once', () => {
  expect(describeHost(manifest, 'portal', screens).screens).toEqual([
    {
      path: '/orders/{id}',
      title: 'My Orders',
      scripts: ['/assets/card.js', '/assets/orders.js'],
      styles: [],
    },
    {
      path: '/account',
      title: 'Account',
      scripts: ['/assets/card.js', '/assets/account.js'],
      styles: ['/assets/account.css'],
    },
    { path: '/404', title: null, scripts: [], styles: [] },
  ]);
});

test('each page has the styles of the screens that saved data is painted on, because a tap shows them', () => {
  const styles = ['/assets/main.css', '/assets/list.css', '/assets/card.css', '/assets/orders.css'];
  expect(describeHost(manifest, 'portal', screens).styles).toEqual(styles);
});

test('the build fails for a screen that is not in its manifest', () => {
  const lost = [{ path: '/lost', title: null, module: 'portal/lost.tsx' }];
  expect(() => describeHost(manifest, 'portal', lost)).toThrow('portal/lost.tsx');
});
