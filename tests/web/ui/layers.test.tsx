import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Modal, modalSizes } from '#web/ui/modal.tsx';
import { FullScreenOverlay } from '#web/ui/overlay.tsx';
import { NotificationList } from '#web/ui/toasts.tsx';

afterEach(cleanup);

test('the modal sizes run from xs to 7xl', () => {
  expect(modalSizes).toEqual(['xs', 'sm', 'md', 'lg', 'xl', '2xl', '3xl', '4xl', '5xl', '6xl', '7xl']);
});

function ModalSample() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      {isOpen && (
        <Modal title="Remove this card?" onClose={() => setIsOpen(false)}>
          It will no longer be offered.
        </Modal>
      )}
    </>
  );
}

test('a modal is named by its title and gives the focus back to what opened it', async () => {
  render(<ModalSample />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect(screen.getByRole<HTMLDialogElement>('dialog', { name: 'Remove this card?' }).open).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }));
});

test('a modal that the browser closed by itself is shown again while it is wanted', () => {
  render(
    <Modal title="Keep these codes" canClose={false} onClose={() => undefined}>
      A1
    </Modal>,
  );
  const dialog = screen.getByRole<HTMLDialogElement>('dialog');
  dialog.close();
  expect(dialog.open).toBe(true);
});

test('Escape asks to close, but not while something would be lost', () => {
  const onClose = vi.fn();
  const { rerender } = render(
    <Modal title="Pay" onClose={onClose} canClose={false}>
      Paying
    </Modal>,
  );
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(onClose).not.toHaveBeenCalled();
  rerender(
    <Modal title="Pay" onClose={onClose}>
      Paid
    </Modal>,
  );
  const cancel = new Event('cancel', { cancelable: true });
  fireEvent(screen.getByRole('dialog'), cancel);
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(cancel.defaultPrevented).toBe(true);
});

test('the covering overlay is a modal layer that Escape does not close', () => {
  render(<FullScreenOverlay title="Connection Lost" text="We wait." isBusy busyText="Trying" />);
  const overlay = screen.getByRole<HTMLDialogElement>('alertdialog', { name: 'Connection Lost' });
  fireEvent(overlay, new Event('cancel', { cancelable: true }));
  expect(overlay.open).toBe(true);
  expect(screen.getByRole('status').textContent).toContain('Trying');
  const described = document.getElementById(overlay.getAttribute('aria-describedby') ?? '');
  expect(described?.textContent).toBe('We wait.');
});

test('the docked overlay leaves what is behind it within reach', () => {
  render(
    <>
      <button type="button">Behind</button>
      <FullScreenOverlay title="Connection Lost" text="We wait." docked />
    </>,
  );
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.getByRole('region', { name: 'Connection Lost' })).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toBe('Connection LostWe wait.');
  expect(screen.getByRole('button', { name: 'Behind' })).toBeTruthy();
});

test('notifications speak up by their type, hidden ones are gone, and each can be dismissed', async () => {
  const onDismiss = vi.fn();
  render(
    <NotificationList
      onDismiss={onDismiss}
      notifications={[
        { id: 'a', type: 'success', message: 'Saved', persistent: false, visible: true },
        { id: 'b', type: 'alert', message: 'Declined', persistent: true, visible: true },
        { id: 'c', type: 'message', message: 'Old news', persistent: false, visible: false },
      ]}
    />,
  );
  expect(screen.getByRole('alert').textContent).toBe('Declined');
  expect(screen.getByRole('status').textContent).toBe('Saved');
  expect(screen.queryByText('Old news')).toBeNull();
  await userEvent.click(screen.getAllByRole('button', { name: 'Dismiss' })[0] as Element);
  expect(onDismiss).toHaveBeenCalledWith('b');
});

test('the live regions are there before anything is said', () => {
  render(<NotificationList notifications={[]} onDismiss={vi.fn()} />);
  expect(screen.getByRole('alert').textContent).toBe('');
  expect(screen.getByRole('status').textContent).toBe('');
});
