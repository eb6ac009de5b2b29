/**
 * How a page gets to the server's release: a state machine without clock, network or worker. A page whose worker
 * serves the old release would reload into the old release. So a new version text first starts the search for the new
 * worker; the reload comes last, once, and only when nothing can be lost.
 */
export type UpdateState =
  | { name: 'current' }
  /** Another release was announced, and its worker is being looked for. `byHand`: the customer is waiting. */
  | { name: 'seeking'; target: string; round: number; byHand: boolean }
  /** The worker was not found yet; the search repeats later. */
  | { name: 'resting'; target: string; round: number }
  /** The release can start: its worker waits, or there is no worker and a reload is enough. */
  | { name: 'ready'; target: string; way: UpdateWay }
  /** The other tabs are asked whether they may be reloaded. */
  | { name: 'asking'; target: string }
  /** The worker was told to take over. */
  | { name: 'applying'; target: string; byHand: boolean }
  | { name: 'failed'; target: string }
  /** The new worker already controls this page; only the reload is missing. */
  | { name: 'due'; target: string }
  | { name: 'leaving'; target: string };

export type UpdateWay = 'worker' | 'page';

/**
 * `isSafe`: a reload loses nothing. `isIdle`: the customer is not using the page. `isBlocked`: a reload would lose
 * something, so the customer should be told; other obstacles pass without action.
 */
export type ReloadSafety = { isSafe: boolean; isIdle: boolean; isBlocked: boolean };

export type UpdateEvent =
  /** The text of version.txt, fresh from the network. */
  | { type: 'version'; text: string }
  /** A worker of that release is waiting, whatever caused it. */
  | { type: 'waiting'; build: string }
  /** The worker that controls this page belongs to another release. */
  | { type: 'taken-over'; build: string }
  /** The result of the search: no new worker yet, no worker at all, or one that failed to install. */
  | { type: 'sought'; outcome: 'nothing' | 'no-worker' | 'broken' }
  | { type: 'rest-over' }
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
  | { do: 'seek'; target: string }
  /** Milliseconds until `rest-over`. */
  | { do: 'rest'; for: number }
  /** Report the reload safety, now and whenever it may have changed. */
  | { do: 'look' }
  | { do: 'ask-tabs'; target: string }
  | { do: 'take-over'; target: string }
  | { do: 'reload'; target: string; after: number; byHand: boolean }
  | { do: 'notice'; about: 'ready' | 'failed' | null }
  | { do: 'report'; target: string };

export type UpdateStep = readonly [UpdateState, ...UpdateEffect[]];

/** Milliseconds between a safe state and the reload. */
export const RELOAD_DELAY = 1000;
/** Milliseconds between searches: a release's files may reach the servers later than its version text. */
const RESTS: readonly number[] = [30_000, 60_000, 120_000];

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
    case 'sought':
      return state.name === 'seeking' ? onSought(state, event.outcome) : [state];
    case 'rest-over':
      return state.name === 'resting' ? seek(state.target, state.round) : [state];
    case 'gone':
      return state.name === 'applying' ? seek(state.target, 0, state.byHand) : [state];
    case 'safety':
      return onSafety(state, event);
    case 'votes':
      if (state.name !== 'asking') return [state];
      return event.areFree ? apply(state.target, false) : showBlocked(ready(state.target));
    case 'locked-out':
      return state.name === 'applying' ? [ready(state.target)] : [state];
    case 'expired':
      if (state.name !== 'applying') return [state];
      return failed(state.target);
    case 'by-hand':
      return onByHand(state);
    case 'refused':
      return state.name === 'leaving' ? showBlocked({ name: 'due', target: state.target }) : [state];
  }
}

/** True if the machine handles a reload that the customer asks for. */
export function ownsReload({ name }: UpdateState): boolean {
  return name === 'ready' || name === 'asking' || name === 'failed' || name === 'due';
}

/** True if the machine waits for a reload to become safe. */
export function isWaitingToReload({ name }: UpdateState): boolean {
  return name === 'ready' || name === 'due';
}

function onVersion(state: UpdateState, text: string, build: string): UpdateStep {
  switch (state.name) {
    case 'current':
      return text === build ? [state] : seek(text, 0);
    case 'seeking':
      return text === build ? settled() : [{ ...state, target: text }];
    case 'resting':
      return text === build ? settled() : seek(text, text === state.target ? state.round : 0);
    case 'ready':
    case 'failed':
      // A newer release, or a rollback: the search replaces the waiting worker.
      if (text === state.target) return [state];
      return state.name === 'ready' && state.way === 'page' && text === build ? settled() : seek(text, 0);
    default:
      return [state];
  }
}

function onWaiting(state: UpdateState, waiting: string, build: string): UpdateStep {
  if (waiting === build) return state.name === 'seeking' || state.name === 'ready' ? settled() : [state];
  switch (state.name) {
    case 'seeking':
      return state.byHand ? apply(waiting, true) : [ready(waiting), { do: 'look' }];
    case 'current':
    case 'resting':
      return [ready(waiting), { do: 'look' }];
    case 'ready':
    case 'failed':
      return state.target === waiting ? [state] : [ready(waiting), { do: 'look' }];
    default:
      return [state];
  }
}

function onTakenOver(state: UpdateState, active: string, build: string): UpdateStep {
  if (active === build || state.name === 'leaving' || state.name === 'due') return [state];
  if ((state.name === 'applying' || state.name === 'seeking') && state.byHand) return leave(active, 0, true);
  return [{ name: 'due', target: active }, { do: 'look' }];
}

function onSought(
  { target, round, byHand }: { target: string; round: number; byHand: boolean },
  outcome: 'nothing' | 'no-worker' | 'broken',
): UpdateStep {
  if (byHand) return outcome === 'no-worker' ? leave(target, 0, true) : failed(target);
  if (outcome === 'no-worker') return [{ name: 'ready', target, way: 'page' }, { do: 'look' }];
  if (outcome === 'broken') return [CURRENT, { do: 'report', target }];
  const rest = RESTS[round];
  if (rest === undefined) return [CURRENT];
  return [
    { name: 'resting', target, round: round + 1 },
    { do: 'rest', for: rest },
  ];
}

function onSafety(state: UpdateState, { isSafe, isIdle, isBlocked }: ReloadSafety): UpdateStep {
  if (state.name !== 'due' && state.name !== 'ready') return [state];
  if (!isSafe) return isBlocked ? showBlocked(state) : [state];
  if (state.name === 'due') return leave(state.target, RELOAD_DELAY, false);
  if (!isIdle) return [state];
  if (state.way === 'page') return leave(state.target, RELOAD_DELAY, false);
  return [
    { name: 'asking', target: state.target },
    { do: 'ask-tabs', target: state.target },
  ];
}

function onByHand(state: UpdateState): UpdateStep {
  if (!ownsReload(state) || !('target' in state)) return [state];
  if (state.name === 'due' || (state.name === 'ready' && state.way === 'page')) {
    return leave(state.target, 0, true);
  }
  return apply(state.target, true);
}

function seek(target: string, round: number, byHand = false): UpdateStep {
  return [
    { name: 'seeking', target, round, byHand },
    { do: 'seek', target },
  ];
}

function ready(target: string): UpdateState {
  return { name: 'ready', target, way: 'worker' };
}

function apply(target: string, byHand: boolean): UpdateStep {
  return [
    { name: 'applying', target, byHand },
    { do: 'take-over', target },
  ];
}

function leave(target: string, after: number, byHand: boolean): UpdateStep {
  return [
    { name: 'leaving', target },
    { do: 'reload', target, after, byHand },
  ];
}

function failed(target: string): UpdateStep {
  return [
    { name: 'failed', target },
    { do: 'notice', about: 'failed' },
  ];
}

function showBlocked(state: UpdateState): UpdateStep {
  return [state, { do: 'notice', about: 'ready' }];
}

function settled(): UpdateStep {
  return [CURRENT, { do: 'notice', about: null }];
}
