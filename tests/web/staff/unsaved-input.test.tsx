import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Link } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isBusy } from '#web/platform/updates/busy.ts';
import { useUnsavedDialog, useUnsavedPage } from '#web/staff/unsaved-input.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { openPage, STAFF } from '../platform/page.ts';
import { createTestRouter } from '../test-router.ts';

afterEach(cleanup);
beforeEach(() => {
  openPage(`${STAFF}/settings`);
});
const user = userEvent.setup();

function Editor() {
  const [text, setText] = useState('');
  const question = useUnsavedPage(text !== '', 'a text being typed');
  return (
    <>
      <input aria-label="Text" value={text} onChange={({ target }) => setText(target.value)} />
      <Link to="/elsewhere">Elsewhere</Link>
      <Link to="/settings?part=2">Another part</Link>
      {question}
    </>
  );
}

function openEditor() {
  const router = createTestRouter(
    [
      { path: '/home', element: <h1>Home</h1> },
      { path: '/settings', element: <Editor /> },
      { path: '/elsewhere', element: <h1>Elsewhere</h1> },
    ],
    ['/home', '/settings'],
  );
  render(<RouterProvider router={router} />);
  return router;
}

/** Whether the browser would ask before the tab is closed. */
function asksBeforeClosing(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

describe('a page with unsaved input', () => {
  test('is left at once while nothing is typed', async () => {
    openEditor();
    expect(asksBeforeClosing()).toBe(false);
    await user.click(screen.getByRole('link', { name: 'Elsewhere' }));
    expect(await screen.findByRole('heading', { name: 'Elsewhere' })).toBeDefined();
  });

  test('asks before a link leaves it, and keeps the text', async () => {
    openEditor();
    await user.type(screen.getByLabelText('Text'), 'New');
    expect(isBusy()).toBe(true);
    expect(asksBeforeClosing()).toBe(true);
    await user.click(screen.getByRole('link', { name: 'Elsewhere' }));
    expect(await screen.findByRole('dialog', { name: 'Discard what you typed?' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>('Text').value).toBe('New');
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Elsewhere' }));
  });

  test('asks before the history leaves it, and leaves it when the text is discarded', async () => {
    const router = openEditor();
    await user.type(screen.getByLabelText('Text'), 'New');
    await router.navigate(-1);
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(await screen.findByRole('heading', { name: 'Home' })).toBeDefined();
    expect(asksBeforeClosing()).toBe(false);
  });

  test('does not ask when only the query of its address changes', async () => {
    const router = openEditor();
    await user.type(screen.getByLabelText('Text'), 'New');
    await user.click(screen.getByRole('link', { name: 'Another part' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(router.state.location.search).toBe('?part=2');
  });
});

function Dialogs() {
  const [isOpen, setIsOpen] = useState(true);
  return isOpen ? <Typing onClose={() => setIsOpen(false)} /> : <p>Closed</p>;
}

function Typing({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const { close, question } = useUnsavedDialog(text !== '', onClose);
  return (
    <Modal title="Row" onClose={close}>
      <input aria-label="Text" value={text} onChange={({ target }) => setText(target.value)} />
      {question}
    </Modal>
  );
}

describe('a dialog with unsaved input', () => {
  test('is closed at once while nothing is typed', async () => {
    render(<Dialogs />);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByText('Closed')).toBeDefined();
  });

  test('asks before it is closed', async () => {
    render(<Dialogs />);
    await user.type(screen.getByLabelText('Text'), 'New');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(screen.getByLabelText<HTMLInputElement>('Text').value).toBe('New');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.getByText('Closed')).toBeDefined();
  });
});
