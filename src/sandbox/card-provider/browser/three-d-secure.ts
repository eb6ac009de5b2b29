import { type FromBank, messageFrom, parentOrigins, type ToBank } from './messages.ts';

const outcome = document.getElementById('outcome');
const framed = window.parent !== window;

if (outcome) report(outcome);
else if (framed) {
  window.addEventListener('message', giveUpWhenTold);
  // The frame has the focus, so the outer dialog does not receive this key.
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') giveUp();
  });
}

/** In a frame, notifies the merchant's page; otherwise the browser returns to the merchant. */
function report({ dataset }: HTMLElement): void {
  if (!framed) {
    if (dataset.returnUrl) window.location.replace(dataset.returnUrl);
    return;
  }
  const message: FromBank = { side: 'bank', name: 'answered' };
  for (const origin of parentOrigins(dataset.origins?.split(' ') ?? []))
    window.parent.postMessage(message, origin);
}

function giveUpWhenTold(event: MessageEvent): void {
  if (event.source !== window.parent || messageFrom<ToBank>('page', event.data)?.name !== 'give-up') return;
  giveUp();
}

function giveUp(): void {
  document.querySelector<HTMLButtonElement>('button[value=fail]')?.click();
}
