import { describe, expect, test } from 'vitest';
import type { DeskBoat } from '#web/platform/api/types.ts';
import { listPossibleChanges } from '#web/staff/boats/change-texts.ts';

const LATE = {
  ...{ status: 'scheduled', departedAt: null, delayMinutes: 25 },
  ...{ departsAt: '2026-06-01T08:40:00.000Z', salesCloseAt: '2026-06-01T08:25:00.000Z' },
};
const listSales = (clock: string, boat: object = {}) =>
  listPossibleChanges({ ...LATE, ...boat } as DeskBoat, Date.parse(`2026-06-01T${clock}:00.000Z`)).filter(
    (kind) => kind === 'sales_open' || kind === 'sales_closed',
  );

describe('listPossibleChanges', () => {
  test('offers to close the sales of a boat, and then to open them until the planned departure', () => {
    expect(listSales('08:20')).toEqual(['sales_closed']);
    expect(listSales('08:30')).toEqual(['sales_open']);
    expect(listSales('08:30', { salesCloseAt: LATE.departsAt })).toEqual(['sales_closed']);
  });

  test('does not offer to open the sales of a late boat after its planned departure', () => {
    expect(listSales('08:45', { salesCloseAt: LATE.departsAt })).toEqual([]);
  });
});
