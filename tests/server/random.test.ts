import { expect, test } from 'vitest';
import { takeRandomBytes } from '#server/core/random.ts';

test('random bytes are as many as asked for and never repeat, also where a block ends', () => {
  const taken = Array.from({ length: 2000 }, (_, index) => takeRandomBytes(12 + (index % 5)));
  expect(taken.map(({ length }) => length)).toEqual(taken.map((_, index) => 12 + (index % 5)));
  expect(new Set(taken.map((bytes) => bytes.toString('hex'))).size).toBe(taken.length);
});

test('bytes that were handed out are not changed by later ones', () => {
  const first = takeRandomBytes(16);
  const copy = Buffer.from(first);
  for (let count = 0; count < 1000; count += 1) takeRandomBytes(16);
  expect(first).toEqual(copy);
});

test('random bytes have no value more often than chance allows', () => {
  const counts = Array.from({ length: 256 }, () => 0);
  for (let count = 0; count < 4000; count += 1) {
    for (const byte of takeRandomBytes(16)) counts[byte] = (counts[byte] ?? 0) + 1;
  }
  // 250 of each are expected; ten standard deviations are 158.
  expect(Math.min(...counts)).toBeGreaterThan(92);
  expect(Math.max(...counts)).toBeLessThan(408);
});
