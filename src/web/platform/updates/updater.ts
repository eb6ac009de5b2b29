import {
  CURRENT,
  isWaitingToReload,
  ownsReload,
  type ReloadSafety,
  type UpdateEffect,
  type UpdateEvent,
  type UpdateState,
  updateStep,
} from './update-machine.ts';

/** The effects that the machine needs from the page. */
export type UpdaterEffects = {
  /** The release this page runs. */
  build: string;
  /** Looks for another release's worker. */
  search: () => Promise<UpdateEvent>;
  askTabs: (target: string) => Promise<boolean>;
  /** Tells the waiting worker to take over. Other tabs are locked out until `settled` resolves. */
  takeOver: (target: string, settled: Promise<void>) => Promise<TakeOver>;
  /** How safe a reload into `target` is now. */
  safety: (target: string) => ReloadSafety;
  /** False if it was not allowed. */
  reload: (target: string, byHand: boolean) => boolean;
  notice: (about: 'ready' | 'failed' | null) => void;
  report: (target: string) => void;
};

/** `locked-out`: another tab is doing it. `gone`: no worker of that release is waiting. */
export type TakeOver = 'settled' | 'locked-out' | 'gone';

export type Updater = {
  dispatch: (event: UpdateEvent) => void;
  /** Checks the reload safety again. `isPause`: the customer is between two screens. */
  checkSafety: (options?: { isPause?: boolean }) => void;
  /** True if the updater handles the customer's reload, because a release is waiting. */
  reloadByHand: () => boolean;
  state: () => UpdateState;
};

/** Milliseconds; a pending request of the old worker can delay the takeover. */
const TAKE_OVER_TIMEOUT = 10_000;
const CHECK_INTERVAL = 5000;

/** Runs the machine with the page's effects. */
export function createUpdater(effects: UpdaterEffects): Updater {
  let state: UpdateState = CURRENT;
  let safetyTimer: ReturnType<typeof setInterval> | null = null;
  let settle: () => void = () => undefined;
  const shown = new Set<string>();

  function dispatch(event: UpdateEvent): void {
    const [next, ...steps] = updateStep(state, event, effects.build);
    if (state.name === 'applying' && next.name !== 'applying') settle();
    state = next;
    updateSafetyTimer();
    for (const step of steps) run(step);
  }

  function checkSafety({ isPause = false } = {}): void {
    if (!isWaitingToReload(state) || !('target' in state)) return;
    const safety = effects.safety(state.target);
    dispatch({ type: 'safety', ...safety, isIdle: safety.isIdle || isPause });
  }

  /** Time alone can make a reload safe: the customer becomes idle, or closes a dialog. */
  function updateSafetyTimer(): void {
    if (isWaitingToReload(state)) safetyTimer ??= setInterval(checkSafety, CHECK_INTERVAL);
    else if (safetyTimer !== null) {
      clearInterval(safetyTimer);
      safetyTimer = null;
    }
  }

  function run(effect: UpdateEffect): void {
    switch (effect.do) {
      case 'search':
        void effects.search().then(dispatch);
        return;
      case 'wait':
        setTimeout(() => dispatch({ type: 'retry' }), effect.for);
        return;
      case 'check-safety':
        checkSafety();
        return;
      case 'ask-tabs':
        void effects.askTabs(effect.target).then((areFree) => dispatch({ type: 'votes', areFree }));
        return;
      case 'take-over':
        takeOver(effect.target);
        return;
      case 'reload':
        reload(effect);
        return;
      case 'notice':
        notice(effect.about);
        return;
      case 'report':
        if (isFirst(`broken ${effect.target}`)) effects.report(effect.target);
    }
  }

  function takeOver(target: string): void {
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const timer = setTimeout(() => dispatch({ type: 'expired' }), TAKE_OVER_TIMEOUT);
    void settled.then(() => clearTimeout(timer));
    void effects.takeOver(target, settled).then((end) => {
      if (end !== 'settled') dispatch({ type: end });
    });
  }

  function reload({ target, after, byHand }: { target: string; after: number; byHand: boolean }): void {
    const go = () => {
      if (!effects.reload(target, byHand)) dispatch({ type: 'refused' });
    };
    if (after === 0) go();
    else setTimeout(go, after);
  }

  /** Shows each notice once per release, so that a dismissed one does not return. */
  function notice(about: 'ready' | 'failed' | null): void {
    const target = 'target' in state ? state.target : '';
    if (about === 'failed' || about === null || isFirst(`${about} ${target}`)) effects.notice(about);
  }

  function isFirst(text: string): boolean {
    if (shown.has(text)) return false;
    shown.add(text);
    return true;
  }

  return {
    dispatch,
    checkSafety,
    reloadByHand: () => {
      if (!ownsReload(state)) return false;
      dispatch({ type: 'by-hand' });
      return true;
    },
    state: () => state,
  };
}
