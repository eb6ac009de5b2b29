import { describe, expect, test } from 'vitest';
import { describeChange, describeObject } from '#web/staff/audit/audit-texts.ts';

const object = (kind: 'call' | 'report', id: string) => ({ kind, id, label: null, currency: null });

describe('describeObject', () => {
  test('leaves a list that was looked at to the words of the action', () => {
    const viewed = { action: 'orders_searched', object: object('call', '/api/staff/orders') } as const;
    expect(describeObject(viewed)).toBeNull();
  });

  test('says which call a role does not allow', () => {
    const refused = { action: 'call_refused', object: object('call', 'GET /api/staff/audit') } as const;
    expect(describeObject(refused)).toBe('GET /api/staff/audit');
  });

  test.each([
    ['cash_up', 'Cash-up'],
    ['datev', 'DATEV'],
    ['payouts/po_1', 'Payout po_1'],
    ['2026-05', '2026-05'],
  ])('names the report %s as people do', (id, name) => {
    expect(describeObject({ action: 'report_exported', object: object('report', id) })).toBe(name);
  });
});

describe('describeChange', () => {
  test('says when a journey departs as people do', () => {
    const change = { field: 'out_departure', before: '2026-12-03 09:00', after: '2026-12-11 07:20' };
    expect(describeChange(change, { currency: 'USD', now: 0 })).toBe(
      'Outbound: from Thu, Dec 3, 9:00 AM to Fri, Dec 11, 7:20 AM',
    );
  });
});
