import { beforeEach, describe, expect, test } from 'vitest';
import { moveSubscription, openPush, showPush } from '#sw/push.ts';
import { FakeWorld, fakeSubscription, ORIGIN } from './fake-worker-context.ts';

const PUSH = {
  v: 1,
  title: 'Your 4:20 PM boat to Heron Island is 40 minutes late',
  body: 'Check-in stays as planned.',
  language: 'en-US',
  path: '/orders/ord_1/confirmation',
};
const MOVE = '/api/push_subscriptions/move';

let world: FakeWorld;
beforeEach(() => {
  world = new FakeWorld();
});

describe('a push', () => {
  test('is shown in its language, and replaces the one before about the same order', async () => {
    await showPush(world.worker('b1'), PUSH);
    expect(world.shown).toEqual([
      {
        title: PUSH.title,
        body: PUSH.body,
        lang: 'en-US',
        tag: PUSH.path,
        icon: '/icon-192.png',
        data: { path: PUSH.path },
      },
    ]);
  });

  test.each([
    ['of another version', { ...PUSH, v: 2 }],
    ['that opens another site', { ...PUSH, path: '//evil.example/' }],
    ['that opens a script', { ...PUSH, path: 'javascript:alert(1)' }],
    ['without a page', { ...PUSH, path: undefined }],
    ['without content', undefined],
    ['of another kind', 'late'],
  ])('%s is not shown', async (_, data) => {
    await showPush(world.worker('b1'), data);
    expect(world.shown).toEqual([]);
  });
});

describe('a pressed notification', () => {
  test('opens the page of the order', async () => {
    const tab = world.openTab('/orders/ord_2/confirmation');
    await openPush(world.worker('b1'), { path: PUSH.path });
    expect(world.opened).toEqual([ORIGIN + PUSH.path]);
    expect(tab.isFocused).toBe(false);
  });

  test('shows the tab that has the order open', async () => {
    world.openTab('/');
    const tab = world.openTab(PUSH.path);
    await openPush(world.worker('b1'), { path: PUSH.path });
    expect(world.opened).toEqual([]);
    expect(tab.isFocused).toBe(true);
  });

  test('opens nothing of another site', async () => {
    for (const data of [{ path: '//evil.example/' }, { path: '/\\evil.example' }, {}, null]) {
      await openPush(world.worker('b1'), data);
    }
    expect(world.opened).toEqual([]);
  });
});

describe('a changed subscription', () => {
  const old = fakeSubscription('https://push.example/old');
  const listMoves = () =>
    world.requests.filter(({ url }) => url === MOVE).map(({ init }) => JSON.parse(String(init.body)));

  test('is reported to the server with the new endpoint', async () => {
    const newSubscription = fakeSubscription('https://push.example/new');
    await moveSubscription(world.worker('b1'), { oldSubscription: old, newSubscription });
    expect(listMoves()).toEqual([
      {
        old_endpoint: 'https://push.example/old',
        subscription: { endpoint: 'https://push.example/new', keys: { p256dh: 'key', auth: 'secret' } },
      },
    ]);
  });

  test('is made again where the browser has not', async () => {
    await moveSubscription(world.worker('b1'), { oldSubscription: old, newSubscription: null });
    expect(listMoves()).toMatchObject([{ subscription: { endpoint: 'https://push.example/next' } }]);
  });

  test('is not reported by a browser that does not say which one it was', async () => {
    await moveSubscription(world.worker('b1'), { oldSubscription: null });
    expect(world.requests).toEqual([]);
  });
});
