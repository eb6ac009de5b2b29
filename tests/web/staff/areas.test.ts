import { expect, test } from 'vitest';
import { AREAS } from '#web/staff/areas.ts';

test('each page of the navigation has an icon that no other has', () => {
  const icons = AREAS.map(({ icon }) => icon);
  expect(icons).toEqual([...new Set(icons)]);
});
