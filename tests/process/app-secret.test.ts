import { afterAll, expect, test } from 'vitest';
import { newEmbeddedPlace } from './places.ts';
import { endAll, launch, startServer } from './server-process.ts';

afterAll(endAll);

test('a server takes over from the generated secret to APP_SECRET, and then refuses to start without it and explains the remedy', async () => {
  const place = newEmbeddedPlace();
  const server = await startServer({ ...place.env, APP_SECRET: 'the secret that the operator has set' });
  const keys = await server.send('/api/keys');
  expect(keys.json().data).toHaveLength(1);
  expect(await server.signal('SIGTERM')).toBe(0);
  const refused = await launch(place.env);
  expect(await refused.exited).toBe(78);
  expect(refused.stderr()).toContain('APP_SECRET is not the secret');
  expect(refused.stderr()).not.toMatch(/\n\s+at /);
  await place.remove();
});
