import { afterAll, expect, test } from 'vitest';
import { newEmbeddedPlace } from './places.ts';
import { endAll, launch, startServer } from './server-process.ts';

afterAll(endAll);

test('a server refuses to start with a changed APP_SECRET, explains the remedy, and starts with the original one', async () => {
  const place = newEmbeddedPlace();
  const refused = await launch({ ...place.env, APP_SECRET: 'not the secret this place was set up with' });
  expect(await refused.exited).toBe(1);
  expect(refused.stderr()).toContain('unset APP_SECRET');
  expect(refused.stderr()).not.toMatch(/\n\s+at /);
  const server = await startServer(place.env);
  const keys = await server.send('/api/keys');
  expect(keys.status).toBe(200);
  expect(await server.signal('SIGTERM')).toBe(0);
  await place.remove();
});
