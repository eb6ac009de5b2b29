import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#tests/setup/engine.ts';
import { HOST_NAMES } from './http-client.ts';
import { newEmbeddedPlace, type Place } from './places.ts';
import { endAll, root, type ServerProcess, startServer } from './server-process.ts';

let place: Place;
let server: ServerProcess;
let exposed: string;
beforeAll(async () => {
  place = newEmbeddedPlace();
  const port = await freePort();
  server = await startServer({ ...place.env, METRICS_PORT: String(port) });
  await server.send('/api/ping');
  exposed = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
});
afterAll(async () => {
  await endAll();
  await place.remove();
});

test('metrics name the release that the process serves', async () => {
  const version = (await server.send('/version.txt')).text.trim();
  expect(exposed).toContain(`gangway_info{release="${version}"} 1`);
});

test('metrics are not on the public port', async () => {
  for (const host of HOST_NAMES) {
    expect((await server.send('/metrics', { host })).text).not.toContain('gangway_');
  }
});

test.each(['grafana-dashboard.json', 'alerts.yaml'])(
  'every metric that deploy/%s uses is exposed',
  (file) => {
    const text = readFileSync(join(root, 'deploy', file), 'utf8');
    const used = new Set(text.match(/\b(?:gangway|nodejs|process)_[a-z0-9_]+/g));
    const names = new Set(exposed.match(/^# TYPE \S+/gm)?.map((line) => line.replace('# TYPE ', '')));
    const missing = [...used].filter((name) => !names.has(name.replace(/_(bucket|count|sum)$/, '')));
    expect(missing).toEqual([]);
    expect(used.size).toBeGreaterThan(5);
  },
);
