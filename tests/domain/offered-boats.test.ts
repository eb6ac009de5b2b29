import { describe, expect, it } from 'vitest';
import { sortInsteadOf } from '#domain/orders/offered-boats.ts';

describe('sortInsteadOf', () => {
  it('puts the same day first, later boats before earlier ones, and later days before earlier days', () => {
    const leave = (text: string) => ({ day: text.slice(0, 10), departsAt: Date.parse(`${text}Z`) });
    const journeys = [
      '2026-06-04T12:00',
      '2026-06-05T08:00',
      '2026-06-05T07:00',
      '2026-06-05T15:00',
      '2026-06-06T07:00',
      '2026-06-05T12:00',
    ];
    expect(sortInsteadOf(leave('2026-06-05T10:00'), journeys, leave)).toEqual([
      '2026-06-05T12:00',
      '2026-06-05T15:00',
      '2026-06-05T07:00',
      '2026-06-05T08:00',
      '2026-06-06T07:00',
      '2026-06-04T12:00',
    ]);
  });
});
