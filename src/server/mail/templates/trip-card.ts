import { portalPages } from '#contract/paths.ts';
import type { MailBlock } from '../mail-content.ts';

/** Template data of mails about trip cards, by kind; amounts are formatted. */
export type TripCardFacts = {
  'trip-card-low': { name: string; lastFour: string; balance: string };
  'trip-card-topped-up': {
    name: string;
    lastFour: string;
    amount: string;
    balance: string;
    receiptNumber: string;
  };
  'trip-card-auto-stopped': { name: string; lastFour: string; why: 'needs_card' | 'needs_authentication' };
  /** `taken` of `amount` was removed from the card; the rest, if any, is `owed`. */
  'trip-card-disputed': {
    name: string;
    lastFour: string;
    amount: string;
    taken: string;
    owed: string | null;
  };
  'trip-card-lost': { name: string; lastFour: string; newLastFour: string };
  /** The address may be unverified, so the mail contains no text chosen by the sender. */
  'trip-card-shared': Record<never, string>;
};
export type TripCardMessage = {
  [Kind in keyof TripCardFacts]: { kind: Kind; facts: TripCardFacts[Kind] };
}[keyof TripCardFacts];

type MailTexts = { title: string; parts: readonly MailBlock[] };

/** The texts of a mail about a trip card. `origin` is the portal's. */
export function tripCardMailTexts(
  { kind, facts }: TripCardMessage,
  origin: string,
  brandName: string,
): MailTexts {
  const button: MailBlock = {
    kind: 'button',
    label: 'See your trip cards',
    url: origin + portalPages.tripCards,
  };
  switch (kind) {
    case 'trip-card-low':
      return {
        title: 'Your trip card is running low',
        parts: [
          text('The balance of your trip card has fallen below the amount you chose.'),
          table(['Card', `${facts.name}, ending ${facts.lastFour}`], ['Balance', facts.balance]),
          button,
        ],
      };
    case 'trip-card-topped-up':
      return {
        title: 'Your trip card is topped up',
        parts: [
          text('The money is on your trip card, ready to use. This email is your receipt.'),
          table(
            ['Card', `${facts.name}, ending ${facts.lastFour}`],
            ['Added', facts.amount],
            ['Balance', facts.balance],
            ['Receipt', facts.receiptNumber],
          ),
          button,
        ],
      };
    case 'trip-card-auto-stopped':
      return {
        title: 'Your automatic top-up has stopped',
        parts: [
          text(
            facts.why === 'needs_card'
              ? 'We could not charge your payment card. Choose another one to restart automatic top-ups.'
              : 'Your bank needs to check it’s you. Top up once yourself to restart automatic top-ups.',
          ),
          table(['Card', `${facts.name}, ending ${facts.lastFour}`]),
          button,
        ],
      };
    case 'trip-card-disputed':
      return {
        title: 'A top-up of your trip card is disputed',
        parts: [
          text(
            'The cardholder disputed a top-up, so the bank reversed the payment. We removed that money from your trip card. If the bank decides for the payment, we add it back.',
          ),
          table(
            ['Card', `${facts.name}, ending ${facts.lastFour}`],
            ['Disputed', facts.amount],
            ['Removed from the card', facts.taken],
            ...(facts.owed === null ? [] : [['Still owed', facts.owed] satisfies [string, string]]),
          ),
          text(
            facts.owed === null
              ? 'Automatic top-ups for this card are paused.'
              : 'Your next top-up pays what is still owed. Automatic top-ups for this card are paused.',
          ),
          button,
        ],
      };
    case 'trip-card-lost':
      return {
        title: 'Your trip card is replaced',
        parts: [
          text('You reported a trip card lost. It no longer works, and its balance has moved.'),
          table(
            ['Lost', `${facts.name}, ending ${facts.lastFour}`],
            ['Replaced by', `the card ending ${facts.newLastFour}`],
          ),
          button,
          text('If this wasn’t you, set a new password now.'),
          { kind: 'link', label: 'Set a new password', url: origin + portalPages.askForReset },
        ],
      };
    case 'trip-card-shared':
      return {
        title: 'A trip card was shared with you',
        parts: [
          text(`Someone shared a ${brandName} trip card with you.`),
          text('Sign in or create an account with this address to see it under Trip Cards.'),
          button,
          text('If you don’t expect a card from anyone, ignore this email.'),
        ],
      };
  }
}

function text(words: string): MailBlock {
  return { kind: 'text', text: words };
}

function table(...rows: [string, string][]): MailBlock {
  return { kind: 'facts', rows };
}
