import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { newEmbeddedPlace } from './places.ts';
import { endAll, eventually, launchDevelopment, root } from './server-process.ts';

afterAll(endAll);

const DEMO = { email: 'demo@harborline.example', password: 'by ferry across the sound' };

test('a changed server file restarts the development server, and a customer stays signed in', async () => {
  const place = newEmbeddedPlace();
  const server = await launchDevelopment(place.env);
  // A killed watcher would leave its server running.
  onTestFinished(async () => {
    await server.signal('SIGTERM');
    await place.remove();
  });
  await server.ready();
  const page = await server.send('/sign_in', { host: 'my', headers: { accept: 'text/html' } });
  expect(page.text).toContain('/@vite/client');
  const signedIn = await server.send('/api/customers/sessions/sign_in', { host: 'my', body: DEMO });
  const { token } = signedIn.json();

  utimesSync(join(root, 'src/server/core/clock.ts'), new Date(), new Date());
  await eventually(() => server.stdout().includes('Restarting'), { what: 'the restart', withinMs: 30_000 });
  await server.ready();
  expect((await server.send('/api/customers/details', { host: 'my', token })).status).toBe(200);
});
