import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { type Asset, createAsset, loadAssets, sendAsset } from '#server/pages/assets.ts';
import { packingPlugin } from '#web/build/packing-plugin.ts';

/** Origins of pages made of the product's libraries and nothing else. */
export type Floor = { static: string; stack: string; persist: string; snapshot: string; close(): void };

const folder = fileURLToPath(new URL('./floor', import.meta.url));
const card = {
  last_four: '4821',
  balance: '$42.50',
  orders: ['Order 1001, 2 passengers', 'Order 1002, 1 vehicle', 'Order 1003, 4 passengers'],
};

/** Builds the floors and serves them just as the product serves its own pages. */
export async function openFloor(): Promise<Floor> {
  const outDir = mkdtempSync(join(tmpdir(), 'gangway-floor-'));
  for (const name of ['stack', 'persist', 'snapshot']) {
    await build({
      root: folder,
      configFile: false,
      logLevel: 'warn',
      plugins: [react(), packingPlugin()],
      build: {
        outDir,
        emptyOutDir: false,
        modulePreload: { polyfill: false },
        rolldownOptions: { input: join(folder, `${name}.html`) },
      },
    });
  }
  const assets = loadAssets(outDir);
  for (const path of ['/static.html', '/worker.js'])
    assets.set(path, createAsset(path, readFileSync(join(folder, path))));
  rmSync(outDir, { recursive: true });
  const server = createServer(getRequestListener((request) => answer(request, assets)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = (name: string) => `http://${name}.localhost:${port}/`;
  return {
    static: origin('static'),
    stack: origin('stack'),
    persist: origin('persist'),
    snapshot: origin('snapshot'),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(request: Request, assets: ReadonlyMap<string, Asset>): Response {
  const { pathname, hostname } = new URL(request.url);
  if (pathname === '/api/trip_cards/1')
    return Response.json(card, { headers: { 'Cache-Control': 'no-store' } });
  const asset = assets.get(pathname === '/' ? `/${hostname.split('.', 1)[0]}.html` : pathname);
  return asset ? sendAsset(request, asset) : new Response('Not found', { status: 404 });
}
