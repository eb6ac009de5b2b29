import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import type { FareClass, Quote } from '#web/platform/api/types.ts';
import { FareChoice } from '#web/tickets/sailings/fare-choice.tsx';
import { buildCatalogue, buildQuote } from './visit-tickets.tsx';

afterEach(cleanup);

function showFares({ withoutPrice = '' } = {}) {
  const fareClasses = camelCased(buildCatalogue().fare_classes) as FareClass[];
  const rules: Record<string, string[]> = {
    saver: ['No refund.'],
    flex: ['Full refund until 2 hours before departure.', 'Change your sailing free of charge.'],
  };
  const offers = fareClasses.map((fareClass) => {
    const quote = camelCased(
      buildQuote({
        fare_class: { code: fareClass.code, name: fareClass.name, summary: `${fareClass.name} today.` },
        policy_text: rules[fareClass.code] ?? [],
      }),
    ) as Quote;
    const offer = fareClass.code === withoutPrice ? null : { quote, promoProblem: null };
    return { fareClass, offer, error: null };
  });
  const onChoose = vi.fn();
  render(
    <FareChoice
      id="fare"
      offers={offers}
      chosen="saver"
      promoCode=""
      onChoose={onChoose}
      onPromoCode={vi.fn()}
      onRetry={vi.fn()}
    />,
  );
  return onChoose;
}

describe('FareChoice', () => {
  test('shows what a fare includes on "What’s included", without choosing that fare', async () => {
    const onChoose = showFares();
    const button = screen.getByRole('button', { name: 'What’s included in Flexible' });
    expect(screen.queryByText('Change your sailing free of charge.')).toBeNull();
    await userEvent.click(button);
    const popover = document.getElementById(button.getAttribute('aria-controls') ?? '') as HTMLElement;
    expect(within(popover).getByText('Flexible')).toBeTruthy();
    expect(
      within(popover)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Full refund until 2 hours before departure.', 'Change your sailing free of charge.']);
    expect(onChoose).not.toHaveBeenCalled();
    await userEvent.keyboard('{Escape}');
    expect(button.getAttribute('aria-expanded')).toBe('false');
  });

  test('shows what a fare gives on the chosen sailings now, and the general text until that is known', () => {
    showFares({ withoutPrice: 'flex' });
    const { fare_classes: classes } = buildCatalogue();
    expect(screen.getByText('Saver today.')).toBeTruthy();
    const flex = classes.find(({ code }) => code === 'flex');
    expect(screen.getByText(flex?.summary ?? '')).toBeTruthy();
  });

  test('offers "What’s included" only for fares whose price is known', () => {
    showFares({ withoutPrice: 'flex' });
    expect(screen.getByRole('radio', { name: 'Flexible' })).toBeTruthy();
    const button = screen.getByRole('button', { name: /^What’s included/ });
    expect(button.textContent).toBe('What’s included in Saver');
  });
});
