import { type FromBank, messageFrom, type ToBank } from './messages.ts';

type DialogOptions = {
  origin: string;
  url: string;
  /** Names of the dialog and of the frame. */
  label: string;
  title: string;
  /** Receives the messages of the page. */
  onMessage(data: unknown): void;
  /** The customer pressed Escape or the button. */
  onCancel(): void;
};

/**
 * Shows a page of the provider over the merchant's, with a button to cancel. The native dialog keeps the focus inside,
 * makes the rest inert and restores the focus.
 */
export function openDialog({ origin, url, label, title, onMessage, onCancel }: DialogOptions) {
  const dialog = document.createElement('dialog');
  const frame = document.createElement('iframe');
  const button = document.createElement('button');
  dialog.setAttribute('aria-label', label);
  frame.title = title;
  frame.src = url;
  button.type = 'button';
  button.textContent = 'Cancel';
  applyStyles(dialog, frame, button);
  dialog.append(frame, button);
  document.body.append(dialog);

  function receive(event: MessageEvent): void {
    if (event.source === frame.contentWindow && event.origin === origin) onMessage(event.data);
  }
  window.addEventListener('message', receive);
  button.addEventListener('click', onCancel);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    onCancel();
  });
  dialog.showModal();
  return {
    button,
    isOpen: () => dialog.isConnected,
    post: (message: object) => frame.contentWindow?.postMessage(message, origin),
    close() {
      window.removeEventListener('message', receive);
      dialog.close();
      dialog.remove();
    },
  };
}

/** Milliseconds for the bank's page to react when the customer cancels. */
const giveUpWithin = 4000;

/** Shows the bank's page until it is answered. Canceling it counts as a failure. */
export function showChallenge(origin: string, url: string): Promise<void> {
  return new Promise((resolve) => {
    function finish(): void {
      dialog.close();
      resolve();
    }
    const dialog = openDialog({
      origin,
      url,
      label: 'Payment confirmation',
      title: 'Confirm it is you',
      onMessage(data) {
        if (messageFrom<FromBank>('bank', data)?.name === 'answered') finish();
      },
      onCancel() {
        dialog.button.disabled = true;
        const message: ToBank = { side: 'page', name: 'give-up' };
        dialog.post(message);
        window.setTimeout(finish, giveUpWithin);
      },
    });
  });
}

/** A strict policy forbids style attributes in markup, but not style properties set by script. */
function applyStyles(dialog: HTMLDialogElement, frame: HTMLIFrameElement, button: HTMLButtonElement): void {
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
  Object.assign(button.style, {
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
