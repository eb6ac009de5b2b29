import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { cardCurrencyCodes } from '#contract/payments/card-currencies.ts';
import { readNumber, writeSample } from '#tests/factories/currencies.ts';
import { setTextLanguage } from '#web/language/page-language.ts';
import { Money } from '#web/ui/data/money.tsx';

afterEach(() => {
  cleanup();
  setTextLanguage('en-US');
});

test.each(cardCurrencyCodes)('screens show %s with the digits of ISO 4217', (currency) => {
  const { container } = render(<Money amount={123_450} currency={currency} />);
  expect(readNumber(container.textContent)).toBe(writeSample(currency));
});

test('screens show money in the form of the operator’s region', () => {
  setTextLanguage('en-NZ');
  const { container } = render(<Money amount={1275} currency="NZD" />);
  expect(container.textContent).toBe('$12.75');
});
