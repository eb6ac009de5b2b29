import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { formatMoney } from '#web/ui/data/money.tsx';
import { ProgressSteps } from '#web/ui/feedback/progress-steps.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { Switch } from '#web/ui/form/switch.tsx';

afterEach(cleanup);

const fares = [
  { value: 'saver' as const, label: 'Saver', description: 'No refund.', price: '$39.00' },
  { value: 'flex' as const, label: 'Flexible', price: '$54.50' },
];

test('a radio card is named by its label and described by its text and price', async () => {
  const onChange = vi.fn();
  render(<RadioCards legend="Fare" value={null} onChange={onChange} options={fares} />);
  const saver = screen.getByRole('radio', { name: 'Saver' });
  const described = saver.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(['No refund.', '$39.00']);
  expect(screen.getByRole('group', { name: 'Fare' })).toBeTruthy();
  await userEvent.click(screen.getByText('$54.50'));
  expect(onChange).toHaveBeenCalledWith('flex');
});

test('a segmented control is one radio group', async () => {
  const onChange = vi.fn();
  render(
    <Segmented
      legend="Trip"
      value="one-way"
      onChange={onChange}
      options={[
        { value: 'one-way', label: 'One way' },
        { value: 'return', label: 'Return' },
      ]}
    />,
  );
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'One way' }).checked).toBe(true);
  await userEvent.click(screen.getByRole('radio', { name: 'Return' }));
  expect(onChange).toHaveBeenCalledWith('return');
});

test('a checkbox and a switch are described by their descriptions', () => {
  render(
    <>
      <Checkbox label="Terms" description="Read them." error="Accept the terms." />
      <Switch label="Alerts" description="By mail." />
    </>,
  );
  const box = screen.getByRole('checkbox', { name: 'Terms' });
  expect(box.getAttribute('aria-invalid')).toBe('true');
  expect(box.getAttribute('aria-describedby')?.split(' ')).toHaveLength(2);
  expect(screen.getByRole('switch', { name: 'Alerts' }).hasAttribute('aria-describedby')).toBe(true);
});

test('the current step is marked, and only steps that are done are buttons', async () => {
  const onBack = vi.fn();
  const steps = [
    { id: 'trip', label: 'Trip' },
    { id: 'pay', label: 'Pay' },
    { id: 'done', label: 'Done' },
  ];
  render(<ProgressSteps label="Purchase" steps={steps} current="pay" onBack={onBack} />);
  const items = screen.getAllByRole('listitem');
  expect(items.map((item) => item.getAttribute('aria-current'))).toEqual([null, 'step', null]);
  expect(screen.getAllByRole('button')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Back to Trip' }));
  expect(onBack).toHaveBeenCalledWith('trip');
});

test('money takes its decimals from the currency', () => {
  expect(formatMoney(18450, 'USD')).toBe('$184.50');
  expect(formatMoney(1200, 'JPY')).toBe('¥1,200');
  expect(formatMoney(1200, 'KWD').replace(/\s/, ' ')).toBe('KWD 1.200');
});
