import { beforeEach, expect, test } from 'vitest';
import type { ToWorker } from '#contract/worker-messages.ts';
import { handleMessage } from '#sw/messages.ts';
import { install } from '#sw/precache.ts';
import { type FakeTab, FakeWorld } from './fake-worker-context.ts';

let world: FakeWorld;

beforeEach(async () => {
  world = new FakeWorld().serve('b1');
  await install(world.worker('b1'));
});

/** Asks a worker that has just started and knows only the browser's storage. */
function ask(tab: FakeTab, question: Record<string, unknown> & { type: ToWorker['type'] }) {
  return handleMessage(world.worker('b1'), { v: 1, ...question }, tab);
}

test('the worker tells a tab which build is active', async () => {
  expect(await ask(world.openTab(), { type: 'GET_STATE' })).toMatchObject({
    type: 'STATE',
    build: 'b1',
    conn: null,
  });
});

test('a connection status that one tab reports is sent to all others, also to a tab opened later', async () => {
  const [one, two] = [world.openTab(), world.openTab()];
  await ask(one, { type: 'CONN_REPORT', state: 'unavailable', at: world.time, why: 'network' });
  expect(one.heardOf('CONN')).toEqual([]);
  expect(two.heardOf('CONN')).toMatchObject([{ state: 'unavailable', at: world.time, from: 'page' }]);
  world.time += 9000;
  expect(await ask(world.openTab(), { type: 'GET_STATE' })).toMatchObject({ conn: { state: 'unavailable' } });
});

test('a reported connection status is valid for ten seconds', async () => {
  const tab = world.openTab();
  await ask(tab, { type: 'CONN_REPORT', state: 'unavailable', at: world.time, why: 'timeout' });
  world.time += 10_000;
  expect(await ask(tab, { type: 'GET_STATE' })).toMatchObject({ conn: null });
});

test('a tab whose clock is ahead cannot extend the validity of its report', async () => {
  const tab = world.openTab();
  await ask(tab, { type: 'CONN_REPORT', state: 'unavailable', at: world.time + 3_600_000, why: 'network' });
  expect(await ask(tab, { type: 'GET_STATE' })).toMatchObject({ conn: { at: world.time } });
});

test('the waiting worker activates when a page asks for it, as workbox-window does', async () => {
  expect(await handleMessage(world.worker('b1'), { type: 'SKIP_WAITING' }, world.openTab())).toMatchObject({
    type: 'STATE',
    build: 'b1',
  });
  expect(world.tookOver).toBe(1);
});

test.each([
  ['another version', { v: 2, type: 'GET_STATE' }],
  ['an unknown type', { v: 1, type: 'REBOOT' }],
  ['no version', { type: 'GET_STATE' }],
  ['a text', 'skipWaiting'],
  ['nothing', null],
])('a message with %s is ignored', async (_, message) => {
  const tab = world.openTab();
  expect(await handleMessage(world.worker('b1'), message, tab)).toBeNull();
  expect(tab.heard).toEqual([]);
  expect(world.tookOver).toBe(0);
});
