import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ForgetTickets } from '#web/tickets/kept/forget-tickets.tsx';

const forgetKeptOrders = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('#web/tickets/kept/kept-orders.ts', () => ({ forgetKeptOrders }));

afterEach(cleanup);

test('tickets are removed from this device once the question about it is answered', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ForgetTickets />
    </QueryClientProvider>,
  );
  const offer = () => screen.getByRole('button', { name: 'Remove from this device' });
  await userEvent.click(offer());
  const keep = screen.getByRole('button', { name: 'Keep them' });
  expect(document.activeElement).toBe(keep);
  await userEvent.click(keep);
  expect(document.activeElement).toBe(offer());
  await userEvent.click(offer());
  expect(forgetKeptOrders).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(forgetKeptOrders).toHaveBeenCalledOnce();
  expect(await screen.findByText(/^Your tickets are no longer kept on this device\./)).toBeDefined();
});
