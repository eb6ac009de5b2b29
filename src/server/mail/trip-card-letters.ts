import { portalPages } from '#contract/paths.ts';
import type { LetterPart } from './letter.ts';

/** What a mail about a trip card says, by kind; amounts are written out already. */
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
  /** `taken` of `amount` is off the card; the rest, if any, is `owed`. */
  'trip-card-disputed': {
    name: string;
    lastFour: string;
    amount: string;
    taken: string;
    owed: string | null;
  };
  'trip-card-lost': { name: string; lastFour: string; newLastFour: string };
  /** To an address nobody may have verified: nothing the asker chose. */
  'trip-card-shared': Record<never, string>;
};
export type TripCardMessage = {
  [Kind in keyof TripCardFacts]: { kind: Kind; facts: TripCardFacts[Kind] };
}[keyof TripCardFacts];

type Words = { title: string; parts: readonly LetterPart[] };

/** The words of a mail about a trip card. `origin` is the portal's. */
export function tripCardWords({ kind, facts }: TripCardMessage, origin: string, brandName: string): Words {
  const button: LetterPart = {
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
          text('The money is on your trip card and can be spent at once. This email is your receipt.'),
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
              ? 'We could not charge the payment card your trip card is topped up from. Choose another one.'
              : 'Your bank wants to check that it is you. Top up once yourself, and it goes on automatically.',
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
            'The bank that issued the payment card has taken a top-up’s payment back, because its holder disputes it. So its money comes off the trip card. If the bank decides that the payment stands, all of it comes back.',
          ),
          table(
            ['Card', `${facts.name}, ending ${facts.lastFour}`],
            ['Disputed', facts.amount],
            ['Off the card', facts.taken],
            ...(facts.owed === null ? [] : [['Still owed', facts.owed] satisfies [string, string]]),
          ),
          text(
            facts.owed === null
              ? 'If the card is topped up automatically, that is paused.'
              : 'What is still owed is paid from money that comes on the card next. If the card is topped up automatically, that is paused.',
          ),
          button,
        ],
      };
    case 'trip-card-lost':
      return {
        title: 'Your trip card is replaced',
        parts: [
          text(
            'You reported a trip card lost. It no longer works at any gate, and its whole balance has moved.',
          ),
          table(
            ['Lost', `${facts.name}, ending ${facts.lastFour}`],
            ['Replaced by', `the card ending ${facts.newLastFour}`],
          ),
          button,
          text('If this was not you, set a new password at once.'),
          { kind: 'link', label: 'Set a new password', url: origin + portalPages.askForReset },
        ],
      };
    case 'trip-card-shared':
      return {
        title: 'A trip card is shared with you',
        parts: [
          text(`Somebody shares their ${brandName} trip card with this address.`),
          text('Sign in with it, or create an account, and you find the card under Trip Cards.'),
          button,
          text('If you do not know who that may be, ignore this email.'),
        ],
      };
  }
}

function text(words: string): LetterPart {
  return { kind: 'text', text: words };
}

function table(...rows: [string, string][]): LetterPart {
  return { kind: 'facts', rows };
}
