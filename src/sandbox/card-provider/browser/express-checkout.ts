import { type Client, callApi } from './client.ts';
import { openDialog } from './dialog.ts';
import { createFrameElement, type FrameElement, type FrameSettings } from './frame-element.ts';
import { type FromWallet, messageFrom } from './messages.ts';

/** A test card chosen in the stand-in wallet. */
export type ExpressPayment = { wallet: string; card: string };

type Group = { options: Record<string, unknown>; express: ExpressPayment | null };
type Sum = { amount: string; currency: string };

/** Milliseconds for the merchant's page to allow the wallet to open. */
const decideWithin = 1000;

/** Creates wallet buttons, and the sheet of the stand-in wallet over the merchant's page. */
export function createExpressCheckout(client: Client, settings: FrameSettings, group: Group): FrameElement {
  const element = createFrameElement(settings);
  const { unmount, destroy } = element;
  let closeSheet: () => void = () => {};

  async function open(wallet: string): Promise<void> {
    group.express = null;
    if (!(await canOpenWallet(element, wallet))) return;
    const sum = await findSum(client, group.options);
    if (sum === null) return void element.emit('cancel', { elementType: 'expressCheckout' });
    const query = new URLSearchParams({ wallet, ...sum });
    const card = await new Promise<string | null>((resolve) => {
      closeSheet();
      closeSheet = showSheet(client.origin, `${client.origin}/endive/wallet?${query}`, resolve);
    });
    if (card === null) return void element.emit('cancel', { elementType: 'expressCheckout' });
    group.express = { wallet, card };
    element.emit('confirm', {
      elementType: 'expressCheckout',
      expressPaymentType: wallet,
      paymentFailed() {
        group.express = null;
      },
    });
  }

  element.on('press', (event) => void open((event as ExpressPayment).wallet));
  element.unmount = () => {
    closeSheet();
    unmount();
  };
  element.destroy = () => {
    closeSheet();
    destroy();
  };
  return element;
}

/** The form fields of a wallet payment. */
export function expressFields({ wallet, card }: ExpressPayment, prefix: string): Record<string, string> {
  return {
    [`${prefix}[type]`]: 'card',
    [`${prefix}[card][token]`]: `tok_${card}`,
    [`${prefix}[card][wallet]`]: wallet,
  };
}

/** Without a listener on the merchant's page the wallet opens at once, otherwise if the page resolves in time. */
function canOpenWallet(element: FrameElement, wallet: string): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(() => resolve(false), decideWithin);
    const decide = (isAgreed: boolean) => {
      window.clearTimeout(timer);
      resolve(isAgreed);
    };
    const hasListener = element.emit('click', {
      elementType: 'expressCheckout',
      expressPaymentType: wallet,
      resolve: () => decide(true),
      reject: () => decide(false),
    });
    if (!hasListener) decide(true);
  });
}

/** The amount to pay: of the intent, or of a group without one. */
async function findSum(client: Client, options: Record<string, unknown>): Promise<Sum | null> {
  const { clientSecret: secret, amount, currency } = options;
  if (typeof secret !== 'string') return { amount: String(amount), currency: String(currency) };
  const id = secret.slice(0, secret.indexOf('_secret_'));
  const { body } = await callApi(client, 'GET', `/v1/payment_intents/${id}`, { client_secret: secret });
  return body ? { amount: String(body.amount), currency: String(body.currency) } : null;
}

/** @returns closes the sheet, as if the customer canceled */
function showSheet(origin: string, url: string, onAnswer: (card: string | null) => void): () => void {
  function finish(card: string | null): void {
    dialog.close();
    onAnswer(card);
  }
  const dialog = openDialog({
    origin,
    url,
    label: 'Google Pay',
    title: 'Google Pay',
    onMessage(data) {
      const message = messageFrom<FromWallet>('wallet', data);
      if (message) finish(message.name === 'pay' ? message.card : null);
    },
    onCancel: () => finish(null),
  });
  return () => {
    if (dialog.isOpen()) finish(null);
  };
}
