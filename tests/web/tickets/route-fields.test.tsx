import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { RouteFields } from '#web/tickets/trip/route-fields.tsx';
import { defaultTripSearch, type TripSearch } from '#web/tickets/trip/trip-search.ts';
import { buildCatalogue } from './visit-tickets.tsx';

afterEach(cleanup);

const TODAY = '2026-06-05';
const catalogue = camelCased(buildCatalogue());

function show(over: Partial<TripSearch> = {}) {
  const onChange = vi.fn();
  const trip = { ...defaultTripSearch(catalogue, TODAY), ...over };
  render(
    <RouteFields
      catalogue={catalogue}
      trip={trip}
      field={(id) => ({ id, error: undefined })}
      today={TODAY}
      onChange={onChange}
      onDateProblem={vi.fn()}
    />,
  );
  return { onChange, button: screen.getByRole('button', { name: 'Swap from and to' }) };
}

describe('the button that swaps "From" and "To"', () => {
  test('swaps the ports and says so in a tooltip', async () => {
    const { onChange, button } = show();
    await userEvent.click(button);
    expect(onChange).toHaveBeenCalledExactlyOnceWith({ from: 'prt_b', to: 'prt_a' });
    expect(await screen.findByRole('tooltip', { name: 'Travel in the other direction' })).toBeTruthy();
  });

  test('explains in a tooltip why it does nothing on a route without a return route', async () => {
    const { onChange, button } = show({ to: 'prt_c' });
    await userEvent.click(button);
    const tooltip = await screen.findByRole('tooltip', { name: 'No sailings in the other direction' });
    expect(button.getAttribute('aria-describedby')).toBe(tooltip.id);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(onChange).not.toHaveBeenCalled();
  });
});
