import { describe, expect, it } from 'vitest';
import { findDelayNotice } from '#domain/sailings/delay-notice.ts';

describe('findDelayNotice', () => {
  it.each([
    ['nothing of a delay below the limit', { told: 0, delay: 14 }, null],
    ['a delay from the limit on', { told: 0, delay: 15 }, 'late'],
    ['nothing of a delay that grows by less', { told: 20, delay: 34 }, null],
    ['a delay that grows by as much', { told: 20, delay: 35 }, 'late'],
    [
      'a delay that shrinks by as much, because the boat leaves earlier than said',
      { told: 50, delay: 20 },
      'late',
    ],
    ['nothing of a delay that shrinks by less', { told: 20, delay: 6 }, null],
    ['that the sailing is on time again', { told: 20, delay: 0 }, 'on_time'],
    ['nothing of a small delay that is over', { told: 0, delay: 0 }, null],
  ])('tells %s', (_, state, notice) => {
    expect(findDelayNotice(state, 15)).toBe(notice);
  });
});
