// @vitest-environment node
import { describe, expect, test } from 'vitest';
import {
  CURRENT,
  ownsReload,
  type UpdateEffect,
  type UpdateEvent,
  type UpdateState,
  updateStep,
} from '#web/platform/updates/update-machine.ts';

const BUILD = '1';
const SAFE = { type: 'safety', isSafe: true, isIdle: true, isAnnounced: true } as const;
const BUSY = { type: 'safety', isSafe: false, isIdle: true, isAnnounced: true } as const;

/** Runs the events. Returns the last state and all effects. */
function run(events: readonly UpdateEvent[], from: UpdateState = CURRENT) {
  let state = from;
  const effects: UpdateEffect[] = [];
  for (const event of events) {
    const [next, ...todo] = updateStep(state, event, BUILD);
    state = next;
    effects.push(...todo);
  }
  return { state, effects, did: effects.map((effect) => effect.do) };
}

const READY: UpdateEvent[] = [
  { type: 'version', text: '2' },
  { type: 'waiting', build: '2' },
];
const APPLYING: UpdateEvent[] = [...READY, SAFE, { type: 'votes', areFree: true }];

describe('a page that runs release 1', () => {
  test('searches for a worker, and does not reload, when the version file names another release', () => {
    const { state, did } = run([{ type: 'version', text: '2' }]);
    expect(state).toEqual({ name: 'searching', target: '2', round: 0, byHand: false });
    expect(did).toEqual(['search']);
  });

  test('does nothing while the version file names its own release', () => {
    expect(run([{ type: 'version', text: '1' }])).toMatchObject({ state: CURRENT, effects: [] });
  });

  test('asks the other tabs, lets the worker take over, and reloads one second later', () => {
    const { state, effects } = run([...APPLYING, { type: 'taken-over', build: '2' }, SAFE]);
    expect(state.name).toBe('reloading');
    expect(effects).toEqual([
      { do: 'search', target: '2' },
      { do: 'check-safety' },
      { do: 'ask-tabs', target: '2' },
      { do: 'take-over', target: '2' },
      { do: 'check-safety' },
      { do: 'reload', target: '2', after: 1000, byHand: false },
    ]);
  });

  test('reloads once, however many events report that the worker took over', () => {
    const over: UpdateEvent = { type: 'taken-over', build: '2' };
    const { did } = run([...APPLYING, over, over, SAFE, over, SAFE, { type: 'version', text: '2' }]);
    expect(did.filter((each) => each === 'reload')).toHaveLength(1);
  });

  test('is ready for a worker that was installed without a search', () => {
    expect(run([{ type: 'waiting', build: '2' }]).state).toMatchObject({ name: 'ready', target: '2' });
  });

  test('ignores a worker of the running release', () => {
    const { state, effects } = run([
      { type: 'waiting', build: '1' },
      { type: 'taken-over', build: '1' },
    ]);
    expect(state).toEqual(CURRENT);
    expect(effects).toEqual([]);
  });

  test('only reloads in a browser without a worker', () => {
    const events: UpdateEvent[] = [
      { type: 'version', text: '2' },
      { type: 'searched', outcome: 'no-worker' },
      SAFE,
    ];
    expect(run(events).effects.at(-1)).toEqual({ do: 'reload', target: '2', after: 1000, byHand: false });
  });
});

describe('a release that is not available yet', () => {
  test('is searched for again after 30, 60 and 120 seconds, and then at the next version check', () => {
    const miss: UpdateEvent[] = [{ type: 'searched', outcome: 'nothing' }, { type: 'retry' }];
    const { state, effects } = run([
      { type: 'version', text: '2' },
      ...miss,
      ...miss,
      ...miss,
      { type: 'searched', outcome: 'nothing' },
    ]);
    expect(effects.flatMap((each) => (each.do === 'wait' ? [each.for] : []))).toEqual([
      30_000, 60_000, 120_000,
    ]);
    expect(effects.some((each) => each.do === 'reload')).toBe(false);
    expect(state).toEqual(CURRENT);
  });

  test('is reported, without a reload, when its worker cannot be installed', () => {
    const { state, did } = run([
      { type: 'version', text: '2' },
      { type: 'searched', outcome: 'broken' },
    ]);
    expect(state).toEqual(CURRENT);
    expect(did).toEqual(['search', 'report']);
  });

  test('is dropped when the version file names the current release again', () => {
    const back: UpdateEvent = { type: 'version', text: '1' };
    expect(run([{ type: 'version', text: '2' }, back]).state).toEqual(CURRENT);
    expect(
      run([{ type: 'version', text: '2' }, { type: 'searched', outcome: 'nothing' }, back]).state,
    ).toEqual(CURRENT);
  });

  test('is replaced by a newer one, whose worker is searched for', () => {
    const { state, effects } = run([
      ...READY,
      BUSY,
      { type: 'version', text: '3' },
      { type: 'waiting', build: '3' },
    ]);
    expect(effects.filter((each) => each.do === 'search')).toHaveLength(2);
    expect(state).toMatchObject({ name: 'ready', target: '3' });
  });
});

describe('a page that cannot be reloaded now', () => {
  test('tells the customer and continues when it is safe', () => {
    const waiting = run([...READY, BUSY]);
    expect(waiting.effects.at(-1)).toEqual({ do: 'notice', about: 'ready' });
    expect(run([SAFE], waiting.state).state.name).toBe('voting');
  });

  test('shows a notice and does not reload while the customer uses it', () => {
    const { state, did } = run([...READY, { ...SAFE, isIdle: false }]);
    expect(state.name).toBe('ready');
    expect(did).toEqual(['search', 'check-safety', 'notice']);
  });

  test('shows no notice where none may be shown', () => {
    const { state, did } = run([...READY, { ...BUSY, isAnnounced: false }]);
    expect(state.name).toBe('ready');
    expect(did).toEqual(['search', 'check-safety']);
  });

  test('does not let the worker take over if another tab objects', () => {
    const { state, did } = run([...READY, SAFE, { type: 'votes', areFree: false }]);
    expect(state.name).toBe('ready');
    expect(did).not.toContain('take-over');
  });

  test('reloads only when it is safe after another tab let the worker take over', () => {
    const due = run([{ type: 'taken-over', build: '2' }, BUSY]);
    expect(due.state.name).toBe('reload-due');
    expect(due.did).toEqual(['check-safety', 'notice']);
    expect(run([SAFE], due.state).did).toEqual(['reload']);
  });

  test('waits again if it becomes busy in the last second', () => {
    const { state, effects } = run([{ type: 'taken-over', build: '2' }, SAFE, { type: 'refused' }]);
    expect(state.name).toBe('reload-due');
    expect(effects.at(-1)).toEqual({ do: 'notice', about: 'ready' });
  });
});

describe('a worker that does not take over', () => {
  const failed = run([...READY, BUSY, { type: 'by-hand' }, { type: 'expired' }]);

  test('is told again at the next check, without a notice, if the customer does not wait for it', () => {
    const expired = run([...APPLYING, { type: 'expired' }]);
    expect(expired.state).toMatchObject({ name: 'ready', target: '2' });
    expect(expired.did).not.toContain('notice');
    expect(run([SAFE, { type: 'votes', areFree: true }], expired.state).did).toEqual([
      'ask-tabs',
      'take-over',
    ]);
  });

  test('is announced as failed, without a reload, to a customer who waits for it', () => {
    expect(failed.state.name).toBe('failed');
    expect(failed.effects.at(-1)).toEqual({ do: 'notice', about: 'failed' });
    expect(failed.did).not.toContain('reload');
  });

  test('is told again when the customer reloads', () => {
    expect(run([{ type: 'by-hand' }], failed.state).did).toEqual(['take-over']);
  });

  test('still leads to a reload when it takes over late', () => {
    expect(run([{ type: 'taken-over', build: '2' }, SAFE], failed.state).did).toEqual([
      'check-safety',
      'reload',
    ]);
  });

  test('is searched for again, without a notice of failure, if it no longer waits', () => {
    const gone = run([...APPLYING, { type: 'gone' }]);
    expect(gone.state).toMatchObject({ name: 'searching', target: '2' });
    expect(gone.did).not.toContain('notice');
    const newer = run([{ type: 'waiting', build: '3' }, SAFE], gone.state);
    expect(newer.effects.at(-1)).toEqual({ do: 'ask-tabs', target: '3' });
    expect(run([{ type: 'taken-over', build: '2' }, SAFE], gone.state).did).toEqual([
      'check-safety',
      'reload',
    ]);
    expect(run([{ type: 'searched', outcome: 'no-worker' }, SAFE], gone.state).did).toEqual([
      'check-safety',
      'reload',
    ]);
  });

  test('is left to another tab that is already updating', () => {
    expect(run([...APPLYING, { type: 'locked-out' }]).state.name).toBe('ready');
  });
});

describe('a reload by the customer', () => {
  test('lets the waiting worker take over without asking the other tabs, and reloads at once', () => {
    const { effects } = run([...READY, BUSY, { type: 'by-hand' }, { type: 'taken-over', build: '2' }]);
    expect(effects.slice(-2)).toEqual([
      { do: 'take-over', target: '2' },
      { do: 'reload', target: '2', after: 0, byHand: true },
    ]);
  });

  test('continues if the worker no longer waits, and announces a failure if none is found', () => {
    const gone = run([...READY, BUSY, { type: 'by-hand' }, { type: 'gone' }]).state;
    expect(run([{ type: 'waiting', build: '3' }], gone).effects).toEqual([{ do: 'take-over', target: '3' }]);
    const leaving = { do: 'reload', after: 0, byHand: true };
    expect(run([{ type: 'taken-over', build: '2' }], gone).effects).toMatchObject([leaving]);
    expect(run([{ type: 'searched', outcome: 'no-worker' }], gone).effects).toMatchObject([leaving]);
    expect(run([{ type: 'searched', outcome: 'nothing' }], gone).effects).toEqual([
      { do: 'notice', about: 'failed' },
    ]);
  });

  test('belongs to the update machine only while a worker waits', () => {
    expect(ownsReload(CURRENT)).toBe(false);
    expect(ownsReload(run(READY).state)).toBe(true);
    expect(ownsReload(run([{ type: 'version', text: '2' }]).state)).toBe(false);
  });
});
