import { describe, expect, it } from 'vitest';
import { resolveSailingState, type SailingException } from '#domain/sailings/exceptions.ts';
import { describeStatus } from '#sentences/exceptions.ts';
import { textsIn } from '#server/core/texts.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const planned = { departsAt: NOON, salesCloseAt: NOON - 600_000 };

function exception(changes: Partial<SailingException>): SailingException {
  return { kind: 'notice', reason: null, text: '', minutes: 0, insertedAt: NOON - 7_200_000, ...changes };
}

function resolve(exceptions: SailingException[]) {
  const { statements, ...state } = resolveSailingState(planned, exceptions);
  return { ...state, statusText: describeStatus(textsIn('en'), { statements, writtenStatusText: '' }) };
}

describe('resolveSailingState', () => {
  it('leaves a sailing without exceptions as planned', () => {
    expect(resolveSailingState(planned, [])).toEqual({
      status: 'scheduled',
      statements: [],
      delayMinutes: 0,
      salesCloseAt: planned.salesCloseAt,
    });
  });

  it('cancels a sailing and says why, whatever else is said about it', () => {
    const state = resolve([
      exception({ kind: 'delayed', minutes: 20, insertedAt: NOON }),
      exception({ kind: 'suspended' }),
      exception({ kind: 'canceled', reason: 'weather' }),
    ]);
    expect(state).toMatchObject({
      status: 'canceled',
      statusText: 'Canceled because of the weather.',
      delayMinutes: 0,
    });
  });

  it('cancels the sailings of a closed port', () => {
    const state = resolve([exception({ kind: 'port_closed', reason: 'weather' })]);
    expect(state.status).toBe('canceled');
    expect(state.statusText).toBe('Canceled because the port is closed: the weather.');
  });

  it('takes the later of two delays', () => {
    const state = resolve([
      exception({ kind: 'delayed', minutes: 40, insertedAt: NOON - 1000 }),
      exception({ kind: 'delayed', minutes: 15, insertedAt: NOON - 2000 }),
    ]);
    expect(state.delayMinutes).toBe(40);
  });

  it('prefers the operator’s text to the derived one, and adds a notice to a delay', () => {
    const state = resolve([
      exception({ kind: 'delayed', minutes: 15, reason: 'crew', text: 'Leaves at about 12:15.' }),
      exception({ kind: 'notice', text: 'Board at pier 2.' }),
    ]);
    expect(state.statusText).toBe('Leaves at about 12:15. Board at pier 2.');
  });

  it('puts a sailing on hold and still tells its delay', () => {
    const state = resolve([
      exception({ kind: 'suspended', reason: 'technical' }),
      exception({ kind: 'delayed', minutes: 30 }),
    ]);
    expect(state).toMatchObject({
      status: 'suspended',
      statusText: 'On hold because of a technical fault. It is not decided yet whether it runs.',
      delayMinutes: 30,
    });
  });

  it('closes sales when it was said, and never later than planned', () => {
    const closed = (insertedAt: number) =>
      resolve([exception({ kind: 'sales_closed', insertedAt })]).salesCloseAt;
    expect(closed(NOON - 3_600_000)).toBe(NOON - 3_600_000);
    expect(closed(NOON)).toBe(planned.salesCloseAt);
  });

  it('sells until the departure if sales were opened after they were closed', () => {
    const state = resolve([
      exception({ kind: 'sales_closed', insertedAt: NOON - 3_600_000 }),
      exception({ kind: 'sales_open', insertedAt: NOON - 1_800_000 }),
    ]);
    expect(state.salesCloseAt).toBe(NOON);
  });
});
