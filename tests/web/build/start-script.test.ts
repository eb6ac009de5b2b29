// @vitest-environment node
import { expect, test } from 'vitest';
import { composeStartScript } from '#web/build/start-script.ts';

const manifest = {
  'main.tsx': {
    file: 'assets/main.js',
    isEntry: true,
    imports: ['_base.js'],
    dynamicImports: ['portal/routes.tsx', 'tickets/routes.tsx'],
  },
  '_base.js': { file: 'assets/base.js' },
  '../../node_modules/react-dom/client.js': { file: 'assets/react.js' },
  'app/start.tsx': { file: 'assets/base.js' },
  'portal/routes.tsx': {
    file: 'assets/routes-p.js',
    dynamicImports: ['portal/orders.tsx', 'dialog.tsx'],
  },
  'portal/orders.tsx': { file: 'assets/orders.js', imports: ['main.tsx', '_card.js'] },
  'dialog.tsx': { file: 'assets/dialog.js', imports: ['_base.js'] },
  '_card.js': { file: 'assets/card.js', imports: ['_text.js', '_base.js'] },
  '_text.js': { file: 'assets/text.js' },
  'tickets/routes.tsx': { file: 'assets/routes-t.js', dynamicImports: ['tickets/pay.tsx'] },
  'tickets/pay.tsx': { file: 'assets/pay.js', imports: ['_card.js'] },
};

/** What the loader of a host's start script sees, and the chunks that are defined by then. */
function run(host: 'tickets' | 'portal') {
  const scripts = ['self.seen = ["react"];', 'self.seen.push("base");'];
  const loader = 'Object.assign(self, { ENTRY, IMPORTS });';
  const page = {} as { seen: string[]; ENTRY: string; IMPORTS: Record<string, string[]> };
  new Function('self', composeStartScript(manifest, host, { scripts, loader }))(page);
  return page;
}

test('the loader runs after the chunks and knows which of them starts the app', () => {
  expect(run('portal')).toMatchObject({ seen: ['react', 'base'], ENTRY: './main.js' });
});

test('the loader knows what chunks outside of the start script import that is outside, too', () => {
  expect(run('portal').IMPORTS).toEqual({
    './orders.js': ['./card.js'],
    './card.js': ['./text.js'],
  });
  expect(run('tickets').IMPORTS).toEqual({ './pay.js': ['./card.js'], './card.js': ['./text.js'] });
});
