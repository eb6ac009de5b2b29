/**
 * How a page gets to the server's release, as a pure state machine. While the worker serves the old release, a reload
 * would load the old release again. So a new version text first starts the search for the new worker; the reload comes
 * last, once, and only when nothing can be lost.
 */
export type UpdateState =
  | { name: 'current' }
  /** Looks for the worker of an announced release. `byHand`: the customer is waiting. */
  | { name: 'searching'; target: string; round: number; byHand: boolean }
  /** The worker was not found yet; the search repeats later. */
  | { name: 'retrying-later'; target: string; round: number }
  /** The release can start: its worker waits, or there is no worker and a reload is enough. */
  | { name: 'ready'; target: string; by: 'worker' | 'page' }
  /** The other tabs are asked whether they may be reloaded. */
  | { name: 'voting'; target: string }
  /** The worker was told to take over. */
  | { name: 'applying'; target: string; byHand: boolean }
  | { name: 'failed'; target: string }
  /** The new worker already controls this page; only the reload is missing. */
  | { name: 'reload-due'; target: string }
  | { name: 'reloading'; target: string };

/**
 * `isSafe`: a reload loses nothing. `isIdle`: the customer is not using the page. `isAnnounced`: the customer is told
 * of a reload that has to wait.
 */
export type ReloadSafety = { isSafe: boolean; isIdle: boolean; isAnnounced: boolean };

export type UpdateEvent =
  /** The text of version.txt, fresh from the network. */
  | { type: 'version'; text: string }
  /** A worker of that release is waiting, whatever caused it. */
  | { type: 'waiting'; build: string }
  /** The worker that controls this page belongs to another release. */
  | { type: 'taken-over'; build: string }
  /** The result of the search: no new worker yet, no worker at all, or one that failed to install. */
  | { type: 'searched'; outcome: 'nothing' | 'no-worker' | 'broken' }
  | { type: 'retry' }
  | ({ type: 'safety' } & ReloadSafety)
  | { type: 'votes'; areFree: boolean }
  /** Another tab is already applying the update. */
  | { type: 'locked-out' }
  /** The worker is no longer waiting. */
  | { type: 'gone' }
  | { type: 'expired' }
  | { type: 'by-hand' }
  /** The reload was not allowed after all. */
  | { type: 'refused' };

export type UpdateEffect =
  | { do: 'search'; target: string }
  /** Milliseconds until `retry`. */
  | { do: 'wait'; for: number }
  /** Report the reload safety, now and whenever it may have changed. */
  | { do: 'check-safety' }
  | { do: 'ask-tabs'; target: string }
  | { do: 'take-over'; target: string }
  | { do: 'reload'; target: string; after: number; byHand: boolean }
  | { do: 'notice'; about: 'ready' | 'failed' | null }
  | { do: 'report'; target: string };

type UpdateStep = readonly [UpdateState, ...UpdateEffect[]];

/** Milliseconds between a safe state and the reload. */
export const RELOAD_DELAY = 1000;
/** Milliseconds between searches: a release's files may reach the servers later than its version text. */
const SEARCH_INTERVALS: readonly number[] = [30_000, 60_000, 120_000];

export const CURRENT: UpdateState = { name: 'current' };

/** `build` is the release this page runs. */
export function updateStep(state: UpdateState, event: UpdateEvent, build: string): UpdateStep {
  switch (event.type) {
    case 'version':
      return onVersion(state, event.text, build);
    case 'waiting':
      return onWaiting(state, event.build, build);
    case 'taken-over':
      return onTakenOver(state, event.build, build);
    case 'searched':
      return state.name === 'searching' ? onSearched(state, event.outcome) : [state];
    case 'retry':
      return state.name === 'retrying-later' ? search(state.target, state.round) : [state];
    case 'gone':
      return state.name === 'applying' ? search(state.target, 0, state.byHand) : [state];
    case 'safety':
      return onSafety(state, event);
    case 'votes':
      if (state.name !== 'voting') return [state];
      return event.areFree ? apply(state.target, false) : announce(ready(state.target));
    case 'locked-out':
      return state.name === 'applying' ? [ready(state.target)] : [state];
    case 'expired':
      if (state.name !== 'applying') return [state];
      // A request that the old worker still handles can hold it. Only a customer who is waiting needs to know.
      return state.byHand ? failed(state.target) : [ready(state.target)];
    case 'by-hand':
      return onByHand(state);
    case 'refused':
      return state.name === 'reloading' ? announce({ name: 'reload-due', target: state.target }) : [state];
  }
}

/** True if the machine handles a reload that the customer asks for. */
export function ownsReload({ name }: UpdateState): boolean {
  return name === 'ready' || name === 'voting' || name === 'failed' || name === 'reload-due';
}

/** True if the machine waits for a reload to become safe. */
export function isWaitingToReload({ name }: UpdateState): boolean {
  return name === 'ready' || name === 'reload-due';
}

function onVersion(state: UpdateState, text: string, build: string): UpdateStep {
  switch (state.name) {
    case 'current':
      return text === build ? [state] : search(text, 0);
    case 'searching':
      return text === build ? settled() : [{ ...state, target: text }];
    case 'retrying-later':
      return text === build ? settled() : search(text, text === state.target ? state.round : 0);
    case 'ready':
    case 'failed':
      // A newer release, or a rollback: the search replaces the waiting worker.
      if (text === state.target) return [state];
      return state.name === 'ready' && state.by === 'page' && text === build ? settled() : search(text, 0);
    default:
      return [state];
  }
}

function onWaiting(state: UpdateState, waiting: string, build: string): UpdateStep {
  if (waiting === build) return state.name === 'searching' || state.name === 'ready' ? settled() : [state];
  switch (state.name) {
    case 'searching':
      return state.byHand ? apply(waiting, true) : [ready(waiting), { do: 'check-safety' }];
    case 'current':
    case 'retrying-later':
      return [ready(waiting), { do: 'check-safety' }];
    case 'ready':
    case 'failed':
      return state.target === waiting ? [state] : [ready(waiting), { do: 'check-safety' }];
    default:
      return [state];
  }
}

function onTakenOver(state: UpdateState, active: string, build: string): UpdateStep {
  if (active === build || state.name === 'reloading' || state.name === 'reload-due') return [state];
  if ((state.name === 'applying' || state.name === 'searching') && state.byHand)
    return reload(active, 0, true);
  return [{ name: 'reload-due', target: active }, { do: 'check-safety' }];
}

function onSearched(
  { target, round, byHand }: { target: string; round: number; byHand: boolean },
  outcome: 'nothing' | 'no-worker' | 'broken',
): UpdateStep {
  if (byHand) return outcome === 'no-worker' ? reload(target, 0, true) : failed(target);
  if (outcome === 'no-worker') return [{ name: 'ready', target, by: 'page' }, { do: 'check-safety' }];
  if (outcome === 'broken') return [CURRENT, { do: 'report', target }];
  const delay = SEARCH_INTERVALS[round];
  if (delay === undefined) return [CURRENT];
  return [
    { name: 'retrying-later', target, round: round + 1 },
    { do: 'wait', for: delay },
  ];
}

function onSafety(state: UpdateState, { isSafe, isIdle, isAnnounced }: ReloadSafety): UpdateStep {
  if (state.name !== 'reload-due' && state.name !== 'ready') return [state];
  const mustWait = !isSafe || (state.name === 'ready' && !isIdle);
  if (mustWait) return isAnnounced ? announce(state) : [state];
  if (state.name === 'reload-due') return reload(state.target, RELOAD_DELAY, false);
  if (state.by === 'page') return reload(state.target, RELOAD_DELAY, false);
  return [
    { name: 'voting', target: state.target },
    { do: 'ask-tabs', target: state.target },
  ];
}

function onByHand(state: UpdateState): UpdateStep {
  if (!ownsReload(state) || !('target' in state)) return [state];
  if (state.name === 'reload-due' || (state.name === 'ready' && state.by === 'page')) {
    return reload(state.target, 0, true);
  }
  return apply(state.target, true);
}

function search(target: string, round: number, byHand = false): UpdateStep {
  return [
    { name: 'searching', target, round, byHand },
    { do: 'search', target },
  ];
}

function ready(target: string): UpdateState {
  return { name: 'ready', target, by: 'worker' };
}

function apply(target: string, byHand: boolean): UpdateStep {
  return [
    { name: 'applying', target, byHand },
    { do: 'take-over', target },
  ];
}

function reload(target: string, after: number, byHand: boolean): UpdateStep {
  return [
    { name: 'reloading', target },
    { do: 'reload', target, after, byHand },
  ];
}

function failed(target: string): UpdateStep {
  return [
    { name: 'failed', target },
    { do: 'notice', about: 'failed' },
  ];
}

function announce(state: UpdateState): UpdateStep {
  return [state, { do: 'notice', about: 'ready' }];
}

function settled(): UpdateStep {
  return [CURRENT, { do: 'notice', about: null }];
}
