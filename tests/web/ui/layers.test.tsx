import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { NotificationList, type ToastNotification } from '#web/ui/feedback/toasts.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Modal, modalSizes } from '#web/ui/popup/modal.tsx';
import { FullScreenOverlay } from '#web/ui/popup/overlay.tsx';

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

test('a modal that the browser closed by itself is shown again', () => {
  render(
    <Modal title="Keep these codes" canClose={false} onClose={() => undefined}>
      A1
    </Modal>,
  );
  const dialog = screen.getByRole<HTMLDialogElement>('dialog');
  dialog.close();
  expect(dialog.open).toBe(true);
});

test('Escape asks to close unless canClose is false', () => {
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

test('the docked overlay leaves the page behind it accessible', () => {
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

const SAVED = { id: 'a', type: 'success', message: 'Saved', persistent: false, visible: true } as const;
const DECLINED = { id: 'b', type: 'alert', message: 'Declined', persistent: true, visible: true } as const;

test('notifications appear one at a time, in the live region of their type, and can be dismissed', async () => {
  const onDismiss = vi.fn();
  const hidden = {
    id: 'c',
    type: 'message',
    message: 'Hidden',
    persistent: false,
    visible: false,
  } as const;
  const list = (notifications: ToastNotification[]) => (
    <NotificationList onDismiss={onDismiss} notifications={notifications} />
  );
  const { rerender } = render(list([DECLINED, SAVED, hidden]));
  expect(screen.getByRole('alert').textContent).toBe('');
  expect(screen.getByRole('status').textContent).toBe('Saved');
  expect(screen.queryByText('Hidden')).toBeNull();
  rerender(list([DECLINED, { ...SAVED, visible: false }, hidden]));
  expect(screen.getByRole('alert').textContent).toBe('Declined');
  expect(screen.getByRole('status').textContent).toBe('');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(onDismiss).toHaveBeenCalledWith('b');
});

test('a notification disappears after five seconds unless it needs an answer or the pointer is on it', () => {
  vi.useFakeTimers();
  try {
    const onDismiss = vi.fn();
    const { rerender } = render(<NotificationList onDismiss={onDismiss} notifications={[SAVED]} />);
    fireEvent.pointerEnter(screen.getByRole('region', { name: 'Notifications' }));
    vi.advanceTimersByTime(60_000);
    expect(onDismiss).not.toHaveBeenCalled();
    fireEvent.pointerLeave(screen.getByRole('region', { name: 'Notifications' }));
    vi.advanceTimersByTime(4999);
    expect(onDismiss).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onDismiss).toHaveBeenCalledExactlyOnceWith('a');
    const offer = { ...SAVED, id: 'd', action: <button type="button">Undo</button> };
    rerender(<NotificationList onDismiss={onDismiss} notifications={[DECLINED, offer]} />);
    vi.advanceTimersByTime(60_000);
    expect(onDismiss).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a notification moves to the top while it would cover a primary button', () => {
  const at = (top: number, bottom: number) => new DOMRect(0, top, 300, bottom - top);
  const isPrimary = (element: Element) => element.textContent === 'Pay';
  let buttonTop = 700;
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return isPrimary(this) ? at(buttonTop, buttonTop + 50) : at(680, 760);
  });
  render(
    <main>
      <Button>Pay</Button>
      <Button variant="secondary">Back</Button>
      <NotificationList onDismiss={vi.fn()} notifications={[SAVED]} />
    </main>,
  );
  const list = screen.getByRole('region', { name: 'Notifications' });
  expect(list.dataset.place).toBe('top');
  buttonTop = 300;
  fireEvent.scroll(window);
  expect(list.dataset.place).toBeUndefined();
  vi.restoreAllMocks();
});

test('the live regions are in the page before the first notification', () => {
  render(<NotificationList notifications={[]} onDismiss={vi.fn()} />);
  expect(screen.getByRole('alert').textContent).toBe('');
  expect(screen.getByRole('status').textContent).toBe('');
});
