import { expect, test } from 'vitest';
import type { LegName } from '#contract/orders/buy/legs.ts';
import { describeLeg, describeLegOfLine } from '#sentences/legs.ts';
import { textsIn } from '#server/core/texts.ts';

const t = textsIn('en');

test.for<[LegName, LegName[], string | null]>([
  ['out', ['out'], null],
  ['back', ['out', 'back'], 'Return'],
  ['out', ['out', 'out_onward'], 'First boat'],
  ['out_onward', ['out', 'out_onward'], 'Second boat'],
  ['out', ['out', 'out_onward', 'back'], 'Outbound, first boat'],
  ['back', ['out', 'out_onward', 'back'], 'Return'],
  ['back_onward', ['out', 'back', 'back_onward'], 'Return, second boat'],
])('the leg %s of %j is called %j', ([leg, legs, name]) => {
  expect(describeLeg(t, leg, legs)).toBe(name);
  expect(describeLegOfLine(t, leg, legs)).toBe(name?.toLowerCase() ?? null);
});
