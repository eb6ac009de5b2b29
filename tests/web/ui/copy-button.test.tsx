import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { CopyButton } from '#web/ui/form/copy-button.tsx';

afterEach(cleanup);

test.each([
  [true, 'Copied'],
  [false, 'Could not copy'],
])('a copy button shows whether it copied (allowed: %s)', async (isAllowed, text) => {
  const user = userEvent.setup();
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  if (isAllowed) write.mockResolvedValue(undefined);
  else write.mockRejectedValue(new DOMException('No.', 'NotAllowedError'));
  render(<CopyButton text="K7M4-QXPA" label="Copy the reference" />);
  await user.click(screen.getByRole('button', { name: 'Copy the reference' }));
  expect(write).toHaveBeenCalledWith('K7M4-QXPA');
  expect(await screen.findByRole('button', { name: text })).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe(text);
});
