import { type FromBank, messageFrom, type ToBank } from './messages.ts';

const giveUpWithin = 4000;

/**
 * Shows the bank's page over the merchant's until it is answered. Closing it counts as a failure. The native dialog
 * keeps the focus inside, makes the rest inert and restores the focus.
 */
export function showChallenge(origin: string, url: string): Promise<void> {
  const { dialog, frame, close } = buildDialog({
    label: 'Payment confirmation',
    title: 'Confirm it is you',
    url,
  });
  return new Promise((resolve) => {
    function finish(): void {
      window.removeEventListener('message', hear);
      dialog.close();
      dialog.remove();
      resolve();
    }
    function hear(event: MessageEvent): void {
      if (event.source !== frame.contentWindow || event.origin !== origin) return;
      if (messageFrom<FromBank>('bank', event.data)?.name === 'answered') finish();
    }
    function giveUp(event: Event): void {
      event.preventDefault();
      close.disabled = true;
      const message: ToBank = { side: 'page', name: 'give-up' };
      frame.contentWindow?.postMessage(message, origin);
      window.setTimeout(finish, giveUpWithin);
    }
    window.addEventListener('message', hear);
    close.addEventListener('click', giveUp);
    dialog.addEventListener('cancel', giveUp);
    dialog.showModal();
  });
}

/** Builds the dialog with a provider page and a close button; not shown yet. */
export function buildDialog({ label, title, url }: { label: string; title: string; url: string }) {
  const dialog = document.createElement('dialog');
  const frame = document.createElement('iframe');
  const close = document.createElement('button');
  dialog.setAttribute('aria-label', label);
  frame.title = title;
  frame.src = url;
  close.type = 'button';
  close.textContent = 'Cancel';
  applyStyles(dialog, frame, close);
  dialog.append(frame, close);
  document.body.append(dialog);
  return { dialog, frame, close };
}

/** A strict policy forbids style attributes in markup, but not style properties set by script. */
function applyStyles(dialog: HTMLDialogElement, frame: HTMLIFrameElement, close: HTMLButtonElement): void {
  Object.assign(dialog.style, {
    border: '0',
    padding: '0',
    margin: '0',
    width: '100vw',
    maxWidth: '100vw',
    height: '100dvh',
    maxHeight: '100dvh',
    background: 'rgb(10 20 30 / 60%)',
    display: 'grid',
    gridTemplateRows: 'auto auto',
    placeContent: 'center',
    justifyItems: 'end',
    gap: '8px',
  });
  Object.assign(frame.style, {
    border: '0',
    borderRadius: '16px',
    width: 'min(420px, calc(100vw - 32px))',
    height: 'min(460px, calc(100dvh - 120px))',
    background: 'Canvas',
    colorScheme: 'light dark',
    gridRow: '2',
  });
  Object.assign(close.style, {
    gridRow: '1',
    font: '16px system-ui, sans-serif',
    minHeight: '44px',
    padding: '0 18px',
    border: '0',
    borderRadius: '99px',
    background: '#fff',
    color: '#10222e',
  });
}
