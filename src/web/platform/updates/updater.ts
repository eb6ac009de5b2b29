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
  seek: () => Promise<UpdateEvent>;
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
  tell: (event: UpdateEvent) => void;
  /** Checks the reload safety again. `isPause`: the customer is between two screens. */
  look: (options?: { isPause?: boolean }) => void;
  /** True if the updater handles the customer's reload, because a release is waiting. */
  reloadByHand: () => boolean;
  state: () => UpdateState;
};

/** Milliseconds; a pending request of the old worker can delay the takeover. */
const TAKE_OVER_WITHIN = 10_000;
const LOOK_EVERY = 5000;

/** Runs the machine with the page's effects. */
export function createUpdater(parts: UpdaterEffects): Updater {
  let state: UpdateState = CURRENT;
  let looking: ReturnType<typeof setInterval> | null = null;
  let settle: () => void = () => undefined;
  const told = new Set<string>();

  function tell(event: UpdateEvent): void {
    const [next, ...effects] = updateStep(state, event, parts.build);
    if (state.name === 'applying' && next.name !== 'applying') settle();
    state = next;
    keepLooking();
    for (const effect of effects) run(effect);
  }

  function look({ isPause = false } = {}): void {
    if (!isWaitingToReload(state) || !('target' in state)) return;
    const safety = parts.safety(state.target);
    tell({ type: 'safety', ...safety, isIdle: safety.isIdle || isPause });
  }

  /** Time alone can make a reload safe: the customer becomes idle, or closes a dialog. */
  function keepLooking(): void {
    if (isWaitingToReload(state)) looking ??= setInterval(look, LOOK_EVERY);
    else if (looking !== null) {
      clearInterval(looking);
      looking = null;
    }
  }

  function run(effect: UpdateEffect): void {
    switch (effect.do) {
      case 'seek':
        void parts.seek().then(tell);
        return;
      case 'rest':
        setTimeout(() => tell({ type: 'rest-over' }), effect.for);
        return;
      case 'look':
        look();
        return;
      case 'ask-tabs':
        void parts.askTabs(effect.target).then((areFree) => tell({ type: 'votes', areFree }));
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
        if (isNews(`broken ${effect.target}`)) parts.report(effect.target);
    }
  }

  function takeOver(target: string): void {
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const timer = setTimeout(() => tell({ type: 'expired' }), TAKE_OVER_WITHIN);
    void settled.then(() => clearTimeout(timer));
    void parts.takeOver(target, settled).then((end) => {
      if (end !== 'settled') tell({ type: end });
    });
  }

  function reload({ target, after, byHand }: { target: string; after: number; byHand: boolean }): void {
    const go = () => {
      if (!parts.reload(target, byHand)) tell({ type: 'refused' });
    };
    if (after === 0) go();
    else setTimeout(go, after);
  }

  /** Shows each notice once per release, so that a dismissed one does not return. */
  function notice(about: 'ready' | 'failed' | null): void {
    const target = 'target' in state ? state.target : '';
    if (about === 'failed' || about === null || isNews(`${about} ${target}`)) parts.notice(about);
  }

  function isNews(text: string): boolean {
    if (told.has(text)) return false;
    told.add(text);
    return true;
  }

  return {
    tell,
    look,
    reloadByHand: () => {
      if (!ownsReload(state)) return false;
      tell({ type: 'by-hand' });
      return true;
    },
    state: () => state,
  };
}
