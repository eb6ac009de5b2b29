import type { QueryClient } from '@tanstack/react-query';
import { readStored, removeStored, writeStored } from '../browser-storage.ts';
import { connectionPhase } from '../connection/connection.ts';
import { notificationStore, setNotifyReload } from '../notifications/notifications.ts';
import { pageConfig } from '../page-config.ts';
import { report } from '../reporting/reporting.ts';
import { RELOADED_FOR_KEY } from '../session/session.ts';
import { ask, onWorkerMessage, whenRegistered } from '../worker/worker.ts';
import { onIdle } from './busy.ts';
import { onReloadPage, tryReload } from './reload.ts';
import { findObjection, findReloadSafety, watchPage } from './reload-safety.ts';
import { announceIdle, answerVotes, askTabs, openTabChannel } from './tab-votes.ts';
import { createUpdater, type TakeOver, type Updater } from './updater.ts';
import { beginVersion, canStoreVersion, checkVersion, isVersionText, VERSION_KEY } from './version-check.ts';
import { findWorker, type ReadBuild, requestTakeOver, watchWorkers } from './waiting-worker.ts';

/** Milliseconds. */
const CHECK_INTERVAL = 300_000;
const TAKE_OVER_INTERVAL = 2000;
const LOCK = 'ferry-update';

/** The router, as far as it is needed here. */
type Navigations = { subscribe: (listener: (state: { navigation: { state: string } }) => void) => unknown };

/** Watches for new releases. Loaded when the page is idle. */
export function startUpdates(navigations: Navigations, client: Pick<QueryClient, 'isMutating'>): void {
  const build = pageConfig().version;
  if (readStored(RELOADED_FOR_KEY, 'sessionStorage') === build)
    removeStored(RELOADED_FOR_KEY, 'sessionStorage');
  const channel = openTabChannel();
  const updater = createUpdater({
    build,
    search: async () => findWorker(await whenRegistered(), build, readBuild),
    askTabs: (target) => askTabs(channel, target),
    takeOver,
    safety: (target) => findReloadSafety(target, readStored(RELOADED_FOR_KEY, 'sessionStorage')),
    reload,
    notice,
    report: (target) => report(new Error(`The worker of release ${target} could not be installed.`)),
  });
  onReloadPage(updater.reloadByHand);
  watchPage(() => client.isMutating() > 0);
  if (channel) answerVotes(channel, findObjection, () => updater.checkSafety());
  onIdle(() => {
    announceIdle(channel);
    updater.checkSafety();
  });
  navigations.subscribe(({ navigation }) => {
    if (navigation.state === 'loading') updater.checkSafety({ isPause: true });
  });
  void whenRegistered().then((registered) => {
    if (registered) watchWorkers(registered, readBuild, updater.dispatch);
  });
  followVersion(updater, build);
}

function followVersion(updater: Updater, build: string): void {
  const check = async (ask: () => Promise<string | null>) => {
    // No update starts while the connection is lost. When it returns, the version is checked again.
    const text = connectionPhase.get() === 'available' ? await ask() : null;
    if (text === null) return;
    if (text !== readStored(VERSION_KEY)) writeStored(VERSION_KEY, text);
    updater.dispatch({ type: 'version', text });
  };
  // Another tab's check, broadcast by the worker.
  onWorkerMessage('VERSION', ({ text, source }) => {
    if (source === 'network' && isVersionText(text)) void check(async () => text);
  });
  const recheck = () => void check(checkVersion);
  if (canStoreVersion()) void check(() => beginVersion(build));
  document.addEventListener('visibilitychange', () => {
    updater.checkSafety();
    if (document.visibilityState === 'visible') recheck();
  });
  // Restored from the back/forward cache, maybe after days.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) recheck();
  });
  setInterval(recheck, CHECK_INTERVAL);
  connectionPhase.subscribe(() => {
    if (connectionPhase.get() !== 'available') return;
    updater.checkSafety();
    recheck();
  });
  let wasOutdated = false;
  notificationStore.subscribe(() => {
    const { notifyReload, reloadReason } = notificationStore.get();
    const isOutdated = notifyReload && reloadReason === 'outdated';
    // A missing chunk is the first sign of a new release.
    if (isOutdated && !wasOutdated) recheck();
    wasOutdated = isOutdated;
  });
}

function notice(about: 'ready' | 'failed' | null): void {
  if (about !== null) setNotifyReload(true, about);
  else if (notificationStore.get().reloadReason !== 'outdated') setNotifyReload(false);
}

const readBuild: ReadBuild = async (worker) => {
  const state = await ask({ type: 'GET_STATE' }, { to: worker });
  return state?.build ?? null;
};

async function takeOver(target: string, settled: Promise<void>): Promise<TakeOver> {
  const begin = async () => {
    const request = async () => requestTakeOver(await whenRegistered(), target, readBuild);
    if (!(await request())) return 'gone';
    // Chromium ends the idle old worker for this, but not if a request starts that worker again at the same moment.
    const repeated = setInterval(request, TAKE_OVER_INTERVAL);
    await settled;
    clearInterval(repeated);
    return 'settled';
  };
  const { locks } = navigator as Partial<Navigator>;
  if (locks === undefined) return begin();
  return locks.request(LOCK, { ifAvailable: true }, (lock) => (lock === null ? 'locked-out' : begin()));
}

function reload(target: string, byHand: boolean): boolean {
  if (!tryReload(byHand ? 'by-hand' : 'version', target)) return false;
  // Read after the reload: if it did not help, another one would not either.
  writeStored(RELOADED_FOR_KEY, target, 'sessionStorage');
  writeStored(VERSION_KEY, target);
  return true;
}
