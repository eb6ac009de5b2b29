import { messageFrom, postToParent, type ToBank } from './messages.ts';

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
function report(outcome: HTMLElement): void {
  const { returnUrl } = outcome.dataset;
  if (framed) postToParent(outcome, { side: 'bank', name: 'answered' });
  else if (returnUrl) window.location.replace(returnUrl);
}

function giveUpWhenTold(event: MessageEvent): void {
  if (event.source !== window.parent || messageFrom<ToBank>('page', event.data)?.name !== 'give-up') return;
  giveUp();
}

function giveUp(): void {
  document.querySelector<HTMLButtonElement>('button[value=fail]')?.click();
}
