// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createUpdater, type UpdaterEffects } from '#web/platform/updates/updater.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SAFE = { isSafe: true, isIdle: true, isBlocked: false };

/** A page that runs release 1, whose worker of release 2 is found at once. */
function openUpdater() {
  const parts = {
    build: '1',
    search: vi.fn<UpdaterEffects['search']>(async () => ({ type: 'waiting', build: '2' })),
    askTabs: vi.fn<UpdaterEffects['askTabs']>(async () => true),
    takeOver: vi.fn<UpdaterEffects['takeOver']>(async (_target, settled) => {
      await settled;
      return 'settled';
    }),
    safety: vi.fn<UpdaterEffects['safety']>(() => SAFE),
    reload: vi.fn<UpdaterEffects['reload']>(() => true),
    notice: vi.fn<UpdaterEffects['notice']>(),
    report: vi.fn<UpdaterEffects['report']>(),
  };
  return { parts, updater: createUpdater(parts) };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('following releases', () => {
  test('an idle page runs the new one after exactly one reload', async () => {
    const { parts, updater } = openUpdater();
    updater.dispatch({ type: 'version', text: '2' });
    await settle();
    expect(parts.takeOver).toHaveBeenCalledTimes(1);
    updater.dispatch({ type: 'taken-over', build: '2' });
    updater.dispatch({ type: 'taken-over', build: '2' });
    expect(parts.reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(parts.reload.mock.calls).toEqual([['2', false]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(parts.reload).toHaveBeenCalledTimes(1);
  });

  test('a busy page is told once, and goes on by itself when it is idle', async () => {
    const { parts, updater } = openUpdater();
    parts.safety.mockReturnValue({ isSafe: false, isIdle: true, isBlocked: true });
    updater.dispatch({ type: 'version', text: '2' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(parts.notice.mock.calls).toEqual([['ready']]);
    expect(parts.takeOver).not.toHaveBeenCalled();
    parts.safety.mockReturnValue(SAFE);
    updater.checkSafety();
    await settle();
    expect(parts.takeOver).toHaveBeenCalledTimes(1);
  });

  test('going to another screen is a good time, although the page was just touched', async () => {
    const { parts, updater } = openUpdater();
    parts.safety.mockReturnValue({ ...SAFE, isIdle: false });
    updater.dispatch({ type: 'version', text: '2' });
    await settle();
    expect(parts.askTabs).not.toHaveBeenCalled();
    updater.checkSafety({ isPause: true });
    expect(parts.askTabs).toHaveBeenCalledTimes(1);
  });

  test('a worker that is kept from taking over is given up after ten seconds, and tried again by hand', async () => {
    const { parts, updater } = openUpdater();
    updater.dispatch({ type: 'version', text: '2' });
    await settle();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(parts.notice).toHaveBeenLastCalledWith('failed');
    expect(parts.reload).not.toHaveBeenCalled();
    expect(updater.reloadByHand()).toBe(true);
    expect(parts.takeOver).toHaveBeenCalledTimes(2);
    updater.dispatch({ type: 'taken-over', build: '2' });
    expect(parts.reload.mock.calls).toEqual([['2', true]]);
  });

  test('a worker that waits no more when it is told is looked for again, and not said to have failed', async () => {
    const { parts, updater } = openUpdater();
    parts.takeOver.mockResolvedValueOnce('gone');
    updater.dispatch({ type: 'version', text: '2' });
    await vi.advanceTimersByTimeAsync(6000);
    expect(parts.search).toHaveBeenCalledTimes(2);
    expect(parts.takeOver).toHaveBeenCalledTimes(2);
    updater.dispatch({ type: 'taken-over', build: '2' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(parts.reload).toHaveBeenCalledTimes(1);
    expect(parts.notice).not.toHaveBeenCalledWith('failed');
  });

  test('a reload that may not be is tried again later', async () => {
    const { parts, updater } = openUpdater();
    parts.reload.mockReturnValueOnce(false);
    updater.dispatch({ type: 'taken-over', build: '2' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(parts.notice).toHaveBeenCalledWith('ready');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(parts.reload).toHaveBeenCalledTimes(2);
  });

  test('a release whose files are not there yet is looked for until they are', async () => {
    const { parts, updater } = openUpdater();
    parts.search.mockResolvedValueOnce({ type: 'searched', outcome: 'nothing' });
    updater.dispatch({ type: 'version', text: '2' });
    await vi.advanceTimersByTimeAsync(29_000);
    expect(parts.search).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(parts.search).toHaveBeenCalledTimes(2);
    expect(parts.takeOver).toHaveBeenCalledTimes(1);
  });

  test('a release that cannot be installed is reported once', async () => {
    const { parts, updater } = openUpdater();
    parts.search.mockResolvedValue({ type: 'searched', outcome: 'broken' });
    for (let check = 0; check < 3; check += 1) {
      updater.dispatch({ type: 'version', text: '2' });
      await settle();
    }
    expect(parts.report.mock.calls).toEqual([['2']]);
    expect(parts.reload).not.toHaveBeenCalled();
  });
});
