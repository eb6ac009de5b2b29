import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Button, IconButton } from '#web/ui/form/button.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('a pending button shows its spinner only after 300 ms', () => {
  render(
    <Button isPending pendingText="Paying…">
      Pay
    </Button>,
  );
  const button = screen.getByRole('button');
  act(() => vi.advanceTimersByTime(299));
  expect(button.hasAttribute('data-spinning')).toBe(false);
  act(() => vi.advanceTimersByTime(1));
  expect(button.hasAttribute('data-spinning')).toBe(true);
});

test('the spinner waits again the next time the button is pending', () => {
  const { rerender } = render(<Button isPending>Pay</Button>);
  act(() => vi.advanceTimersByTime(300));
  rerender(<Button>Pay</Button>);
  rerender(<Button isPending>Pay</Button>);
  expect(screen.getByRole('button').hasAttribute('data-spinning')).toBe(false);
});

test('a pending button keeps the focus and ignores clicks and submits', () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn();
  render(
    <form onSubmit={onSubmit}>
      <Button type="submit" isPending onClick={onClick}>
        Pay
      </Button>
    </form>,
  );
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Pay' });
  button.focus();
  fireEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();
  expect(button.disabled).toBe(false);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(button);
});

test('an icon button is named by its label', () => {
  render(<IconButton icon="print" label="Print" />);
  expect(screen.getByRole('button', { name: 'Print' })).toBeTruthy();
});
