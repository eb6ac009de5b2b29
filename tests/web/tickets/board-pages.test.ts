import { describe, expect, test } from 'vitest';
import { splitIntoPages } from '#web/tickets/departures/board-pages.ts';

describe('splitIntoPages', () => {
  test.each([
    ['no rows', [], []],
    ['rows that fit', [10, 10, 10], [0]],
    ['rows that fill two screens', [10, 10, 10, 10], [0, 3]],
    ['rows of different heights', [20, 15, 5, 10], [0, 1]],
    ['a row that is higher than the screen', [10, 40, 10], [0, 1, 2]],
  ])('splits %s', (_, heights, firsts) => {
    expect(splitIntoPages(heights, 30)).toEqual(firsts);
  });
});
