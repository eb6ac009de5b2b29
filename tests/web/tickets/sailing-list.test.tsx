import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import type { Sailing } from '#web/platform/api/types.ts';
import { SailingList } from '#web/tickets/sailings/sailing-list.tsx';
import { buildSailing } from './visit-tickets.tsx';

afterEach(cleanup);

/** A sailing every 20 minutes from 6:00 AM on. */
function show(count: number): void {
  const sailings = Array.from({ length: count }, (_, index) => {
    const hour = String(6 + Math.floor(index / 3)).padStart(2, '0');
    const departs = `2026-06-05T${hour}:${String((index % 3) * 20).padStart(2, '0')}:00-07:00`;
    return camelCased(buildSailing(`sai_${index}`, { departs_local: departs })) as Sailing;
  });
  render(
    <SailingList
      label="Sailings on Fri, June 5"
      sailings={sailings}
      onChoose={vi.fn()}
      phone={null}
      priceOf={({ fromAmount }) => fromAmount}
    />,
  );
}

describe('SailingList', () => {
  test('shows few sailings as one list', () => {
    show(20);
    expect(screen.getByRole('list', { name: 'Sailings on Fri, June 5' }).children).toHaveLength(20);
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  test('groups many sailings by hour', () => {
    show(36);
    const hours = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    expect(hours.slice(0, 3)).toEqual(['6:00 AM', '7:00 AM', '8:00 AM']);
    expect(hours).toHaveLength(12);
    const list = screen.getByRole('list', { name: 'Sailings on Fri, June 5, from 8:00 AM' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(3);
  });

  test('jumps to a time, for the keyboard and screen readers too', async () => {
    show(36);
    const times = within(screen.getByRole('navigation', { name: 'Jump to a time' })).getAllByRole('button');
    expect(times.map(({ textContent }) => textContent)).toEqual([
      '6:00 AM',
      '9:00 AM',
      '12:00 PM',
      '3:00 PM',
    ]);
    await userEvent.click(screen.getByRole('button', { name: '12:00 PM' }));
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 3, name: '12:00 PM' }));
  });
});
