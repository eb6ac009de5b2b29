import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { DeleteTickets } from '#web/tickets/saved-tickets/delete-tickets.tsx';

const deleteSavedOrders = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('#web/tickets/saved-tickets/saved-orders.ts', () => ({ deleteSavedOrders }));

afterEach(cleanup);

test('DeleteTickets removes the tickets from this device after a confirmation', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DeleteTickets />
    </QueryClientProvider>,
  );
  const offer = () => screen.getByRole('button', { name: 'Remove from this device' });
  await userEvent.click(offer());
  const keep = screen.getByRole('button', { name: 'Keep them' });
  expect(document.activeElement).toBe(keep);
  await userEvent.click(keep);
  expect(document.activeElement).toBe(offer());
  await userEvent.click(offer());
  expect(deleteSavedOrders).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(deleteSavedOrders).toHaveBeenCalledOnce();
  expect(await screen.findByText(/^Your tickets are no longer kept on this device\./)).toBeDefined();
});
