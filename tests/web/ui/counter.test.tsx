import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Counter, type CounterProps, clampCount, parseCount } from '#web/ui/form/counter.tsx';

afterEach(cleanup);

function Sample({ onChange, ...props }: Partial<CounterProps>) {
  const [value, setValue] = useState(props.value ?? 2);
  function handleChange(next: number) {
    onChange?.(next);
    setValue(next);
  }
  return <Counter label="Adults" {...props} value={value} onChange={handleChange} />;
}

function renderCounter(props: Partial<CounterProps> = {}) {
  const onChange = vi.fn();
  render(<Sample {...props} onChange={onChange} />);
  const input = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Adults' });
  return { onChange, user: userEvent.setup(), input };
}

test('everything but digits is stripped, and the number is clamped to the given limits', () => {
  expect(parseCount('1a2', {})).toBe(12);
  expect(parseCount('-3', {})).toBe(3);
  expect(parseCount('twelve', {})).toBeNull();
  expect(parseCount('40', { max: 9 })).toBe(9);
  expect(parseCount('1', { min: 5 })).toBe(5);
  expect(clampCount(1e9, {})).toBe(1e9);
});

test('the buttons step by one and stop at the limits', async () => {
  const { onChange, user, input } = renderCounter({ min: 1, max: 3 });
  const more = screen.getByRole('button', { name: 'More: Adults' });
  const fewer = screen.getByRole('button', { name: 'Fewer: Adults' });
  await user.click(more);
  await user.click(more);
  expect(input.value).toBe('3');
  expect(more.getAttribute('aria-disabled')).toBe('true');
  await user.click(fewer);
  await user.click(fewer);
  await user.click(fewer);
  expect(onChange.mock.calls.flat()).toEqual([3, 2, 1]);
  expect(screen.getByRole('status').textContent).toBe('Adults: 1');
});

test('typing accepts digits only and is clamped to the maximum', async () => {
  const { onChange, user, input } = renderCounter({ max: 12 });
  await user.clear(input);
  await user.type(input, '1x5');
  expect(input.value).toBe('12');
  expect(onChange.mock.calls.flat()).toEqual([1, 12]);
});

test('typing may pass through numbers below the minimum, and leaving the field clamps to it', async () => {
  const { onChange, user, input } = renderCounter({ value: 10, min: 5, max: 20 });
  await user.clear(input);
  await user.type(input, '1');
  expect(input.value).toBe('1');
  expect(onChange).not.toHaveBeenCalled();
  await user.tab();
  expect(input.value).toBe('5');
  expect(onChange).toHaveBeenCalledWith(5);
});

test('arrow keys, Home and End change the number as in any spin button', async () => {
  const { user, input } = renderCounter({ min: 0, max: 6 });
  input.focus();
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(input.value).toBe('4');
  await user.keyboard('{Home}');
  expect(input.value).toBe('0');
  await user.keyboard('{End}{ArrowDown}');
  expect(input.getAttribute('aria-valuenow')).toBe('5');
});
