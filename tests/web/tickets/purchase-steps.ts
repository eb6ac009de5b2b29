import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

export const user = userEvent.setup();

export const press = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }));

export async function findSummary(title: string): Promise<HTMLElement> {
  const summary = (await screen.findByRole('heading', { name: title })).parentElement;
  if (!summary) throw new Error('The summary has no box.');
  return summary;
}

export async function chooseSailing() {
  await press('Show sailings');
  await press(/^Choose the /);
  await screen.findByText('No refund.');
}

export async function fillDetails() {
  await user.type(await screen.findByLabelText('Name'), 'Ada Lovelace');
  await user.type(screen.getByLabelText('Email'), 'ada@example.com');
  await user.click(screen.getByRole('checkbox', { name: 'I accept the terms of carriage' }));
}
