import { expect, test } from 'vitest';
import { isIncludedDriver } from '#domain/fares/included-driver.ts';
import type { DescribedLine } from '#domain/fares/line-item.ts';
import { describeLine, titleTicket } from '#sentences/order-lines.ts';
import { textsIn } from '#server/core/texts.ts';

const en = textsIn('en');
const de = textsIn('de');

test.each<[DescribedLine, english: string, german: string]>([
  [{ item: 'passenger', description: 'Adult' }, 'Adult', 'Adult'],
  [{ item: 'driver', description: 'Adult' }, 'Adult, driver', 'Adult, Fahrer'],
  [{ item: 'vehicle_with_trailer', description: 'Car' }, 'Car with trailer', 'Car mit Anhänger'],
  [{ item: 'bicycle', description: '' }, 'Bicycle', 'Fahrrad'],
  [{ item: 'promo_code', description: 'SUMMER' }, 'Promo code SUMMER', 'Gutscheincode SUMMER'],
  [{ item: 'change_fee', description: '' }, 'Change fee', 'Änderungsgebühr'],
  [{ item: null, description: 'Adult, driver' }, 'Adult, driver', 'Adult, driver'],
])('the line %o reads as “%s” in English and as “%s” in German', (line, english, german) => {
  expect([describeLine(en, line), describeLine(de, line)]).toEqual([english, german]);
});

test('a vehicle’s ticket has its own plate, or the order’s, in its title', () => {
  const car = { id: 'car', kind: 'vehicle', item: 'vehicle', description: 'Car', plate: null } as const;
  const van = { ...car, id: 'van', description: 'Van', plate: 'VAN 1' };
  const bicycle = { ...car, id: 'bicycle', kind: 'bicycle', item: 'bicycle', description: '' } as const;
  const order = { lines: [car, van, bicycle], plate: '5KJH 220' };
  const titles = ['car', 'van', 'bicycle', 'none'].map((lineId) => titleTicket(de, { lineId }, order));
  expect(titles).toEqual(['Car, 5KJH 220', 'Van, VAN 1', 'Fahrrad', '']);
});

test('a driver is recognized by the item of the line, or by the text of an earlier release', () => {
  const adult = { description: 'Adult', amount: 0 };
  expect(isIncludedDriver({ ...adult, item: 'driver' })).toBe(true);
  expect(isIncludedDriver({ ...adult, item: 'passenger' })).toBe(false);
  expect(isIncludedDriver({ ...adult, item: null })).toBe(false);
  expect(isIncludedDriver({ ...adult, item: null, description: 'Adult, driver' })).toBe(true);
});
