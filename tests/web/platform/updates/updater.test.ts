// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createUpdater, type UpdaterEffects } from '#web/platform/updates/updater.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SAFE = { isSafe: true, isIdle: true, isAnnounced: true };

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

describe('the updater', () => {
  test('reloads an idle page exactly once for a new release', async () => {
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

  test('shows one notice on a busy page, and continues when the page is idle', async () => {
    const { parts, updater } = openUpdater();
    parts.safety.mockReturnValue({ isSafe: false, isIdle: true, isAnnounced: true });
    updater.dispatch({ type: 'version', text: '2' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(parts.notice.mock.calls).toEqual([['ready']]);
    expect(parts.takeOver).not.toHaveBeenCalled();
    parts.safety.mockReturnValue(SAFE);
    updater.checkSafety();
    await settle();
    expect(parts.takeOver).toHaveBeenCalledTimes(1);
  });

  test('continues when another screen is opened, even after recent input', async () => {
    const { parts, updater } = openUpdater();
    parts.safety.mockReturnValue({ ...SAFE, isIdle: false });
    updater.dispatch({ type: 'version', text: '2' });
    await settle();
    expect(parts.askTabs).not.toHaveBeenCalled();
    updater.checkSafety({ isPause: true });
    expect(parts.askTabs).toHaveBeenCalledTimes(1);
  });

  test('tells a worker again that does not take over in ten seconds, without a notice', async () => {
    const { parts, updater } = openUpdater();
    updater.dispatch({ type: 'version', text: '2' });
    await settle();
    await vi.advanceTimersByTimeAsync(16_000);
    expect(parts.takeOver).toHaveBeenCalledTimes(2);
    expect(parts.notice).not.toHaveBeenCalled();
    updater.dispatch({ type: 'taken-over', build: '2' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(parts.reload.mock.calls).toEqual([['2', false]]);
  });

  test('announces the failure to a customer who waits for it, and tries again at the next reload', async () => {
    const { parts, updater } = openUpdater();
    parts.safety.mockReturnValue({ isSafe: false, isIdle: true, isAnnounced: true });
    updater.dispatch({ type: 'version', text: '2' });
    await settle();
    expect(updater.reloadByHand()).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(parts.notice).toHaveBeenLastCalledWith('failed');
    expect(parts.reload).not.toHaveBeenCalled();
    expect(updater.reloadByHand()).toBe(true);
    expect(parts.takeOver).toHaveBeenCalledTimes(2);
    updater.dispatch({ type: 'taken-over', build: '2' });
    expect(parts.reload.mock.calls).toEqual([['2', true]]);
  });

  test('searches again, without a notice of failure, if the worker no longer waits', async () => {
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

  test('tries a refused reload again later', async () => {
    const { parts, updater } = openUpdater();
    parts.reload.mockReturnValueOnce(false);
    updater.dispatch({ type: 'taken-over', build: '2' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(parts.notice).toHaveBeenCalledWith('ready');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(parts.reload).toHaveBeenCalledTimes(2);
  });

  test('searches again for a release whose files are not available yet', async () => {
    const { parts, updater } = openUpdater();
    parts.search.mockResolvedValueOnce({ type: 'searched', outcome: 'nothing' });
    updater.dispatch({ type: 'version', text: '2' });
    await vi.advanceTimersByTimeAsync(29_000);
    expect(parts.search).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(parts.search).toHaveBeenCalledTimes(2);
    expect(parts.takeOver).toHaveBeenCalledTimes(1);
  });

  test('reports a release that cannot be installed once', async () => {
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
