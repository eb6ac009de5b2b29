import { applyAppearance, build } from './appearance.ts';
import type { FrameOptions, FromFrame } from './messages.ts';

const wallet = 'google_pay';

/** Shows the button of the stand-in wallet, or nothing if the frame's page offers no wallet. */
export function showWalletButton(
  place: HTMLElement,
  options: FrameOptions,
  post: (message: FromFrame) => void,
): void {
  applyAppearance(options.appearance);
  if (place.dataset.wallets !== wallet) {
    post({ side: 'frame', name: 'ready', event: { availablePaymentMethods: undefined } });
    return;
  }
  const button = build('button', { type: 'button', className: 'wallet' });
  button.dataset.theme = options.button.theme;
  button.style.height = `${options.button.height}px`;
  button.append('Google Pay ', build('small', { textContent: 'test' }));
  button.addEventListener('click', () => post({ side: 'frame', name: 'press', event: { wallet } }));
  place.replaceChildren(button);
  post({ side: 'frame', name: 'height', height: place.offsetHeight });
  const others = { applePay: false, link: false, amazonPay: false, paypal: false, klarna: false };
  post({
    side: 'frame',
    name: 'ready',
    event: { availablePaymentMethods: { googlePay: true, ...others } },
  });
}
