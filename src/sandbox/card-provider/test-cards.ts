/** Why the simulated bank declines. */
export type Decline = {
  code: string;
  declineCode?: string;
  message: string;
  param?: string;
  /** Blocked by the provider's fraud rules instead of the bank. */
  blocked?: boolean;
};

export type Behavior = {
  /** Declined whenever it is charged. */
  charge?: Decline;
  /** Declined also when it is saved. */
  save?: Decline;
  /**
   * When the cardholder must authenticate: at every charge and when saved; at every charge until it was saved for later
   * use; or only at on-session charges.
   */
  authentication?: 'always' | 'until_set_up' | 'when_present';
  /** Declined after authentication. */
  afterAuthentication?: Decline;
  /** Authentication fails technically. */
  authenticationBroken?: boolean;
  refund?: 'pending' | 'fails';
  dispute?: 'fraudulent';
};

export type TestCard = {
  /** The provider's name for it: `pm_card_<name>` and `tok_<name>` refer to it in server code. */
  name: string;
  number: string;
  brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay';
  funding: 'credit' | 'debit' | 'prepaid';
  country: string;
  behavior: Behavior;
  /** Description for the page that lists them. */
  effect: string;
};

export function declined(declineCode: string, message = 'Your card was declined.'): Decline {
  return { code: 'card_declined', declineCode, message };
}

const insufficientFunds = declined('insufficient_funds', 'Your card has insufficient funds.');
const usedTooOften = declined('card_velocity_exceeded');
const expired = failed('expired_card', 'Your card has expired.', 'exp_month');
const wrongCode = failed('incorrect_cvc', "Your card's security code is incorrect.", 'cvc');
const processing = failed(
  'processing_error',
  'An error occurred while processing your card. Try again in a little bit.',
);

/** A failure that the provider reports with its own code, and the parameter that caused it. */
function failed(code: string, message: string, param?: string): Decline {
  return { code, declineCode: code, message, ...(param ? { param } : {}) };
}

function visa(name: string, number: string, effect: string, behavior: Behavior): TestCard {
  return { name, number, brand: 'visa', funding: 'credit', country: 'US', behavior, effect };
}

/** A card that is declined when it is charged and when it is saved. */
function refuses(name: string, number: string, reason: string, decline: Decline): TestCard {
  return visa(name, number, `Declined: ${reason}`, { charge: decline, save: decline });
}

function pays(
  name: string,
  number: string,
  brand: TestCard['brand'],
  funding: TestCard['funding'] = 'credit',
): TestCard {
  return { name, number, brand, funding, country: 'US', behavior: {}, effect: 'Pays' };
}

/** The provider's published test cards that this stand-in supports. Any other number is refused. */
export const testCards: readonly TestCard[] = [
  pays('visa', '4242424242424242', 'visa'),
  pays('visa_debit', '4000056655665556', 'visa', 'debit'),
  pays('mastercard', '5555555555554444', 'mastercard'),
  pays('mastercard_2series', '2223003122003222', 'mastercard'),
  pays('mastercard_debit', '5200828282828210', 'mastercard', 'debit'),
  pays('mastercard_prepaid', '5105105105105100', 'mastercard', 'prepaid'),
  pays('amex', '378282246310005', 'amex'),
  pays('discover', '6011111111111117', 'discover'),
  pays('diners', '3056930009020004', 'diners'),
  pays('jcb', '3566002020360505', 'jcb'),
  pays('unionpay', '6200000000000005', 'unionpay'),
  visa('visa_chargeDeclined', '4000000000000002', 'Declined', {
    charge: declined('generic_decline'),
    save: declined('generic_decline'),
  }),
  refuses(
    'visa_chargeDeclinedInsufficientFunds',
    '4000000000009995',
    'insufficient funds',
    insufficientFunds,
  ),
  refuses('visa_chargeDeclinedLostCard', '4000000000009987', 'lost card', declined('lost_card')),
  refuses('visa_chargeDeclinedStolenCard', '4000000000009979', 'stolen card', declined('stolen_card')),
  refuses('chargeDeclinedExpiredCard', '4000000000000069', 'expired', expired),
  refuses('chargeDeclinedIncorrectCvc', '4000000000000127', 'wrong security code', wrongCode),
  refuses('chargeDeclinedProcessingError', '4000000000000119', 'processing error', processing),
  refuses('visa_chargeDeclinedVelocityLimitExceeded', '4000000000006975', 'used too often', usedTooOften),
  visa('radarBlock', '4100000000000019', 'Blocked as fraud', {
    charge: { ...declined('fraudulent'), blocked: true },
  }),
  visa('chargeCustomerFail', '4000000000000341', 'Can be saved, is declined when charged', {
    charge: declined('generic_decline'),
  }),
  visa('authenticationRequiredOnSetup', '4000002500003155', 'Asks for confirmation, until it was saved', {
    authentication: 'until_set_up',
  }),
  visa('authenticationRequired', '4000002760003184', 'Asks for confirmation every time', {
    authentication: 'always',
  }),
  visa(
    'authenticationRequiredSetupForOffSession',
    '4000003800000446',
    'Asks for confirmation, except when charged later',
    {
      authentication: 'when_present',
    },
  ),
  visa('threeDSecure2Required', '4000000000003220', 'Asks for confirmation, then pays', {
    authentication: 'always',
  }),
  visa('threeDSecureRequiredChargeDeclined', '4000008400001629', 'Asks for confirmation, then declined', {
    authentication: 'always',
    afterAuthentication: declined('generic_decline'),
  }),
  visa(
    'authenticationRequiredChargeDeclinedInsufficientFunds',
    '4000008260003178',
    'Asks for confirmation, then insufficient funds',
    { authentication: 'always', afterAuthentication: insufficientFunds },
  ),
  visa('threeDSecureRequiredProcessingError', '4000008400001280', 'Confirmation does not work, declined', {
    authentication: 'always',
    authenticationBroken: true,
  }),
  visa('pendingRefund', '4000000000007726', 'Pays; a refund is pending at first', { refund: 'pending' }),
  visa('refundFail', '4000000000005126', 'Pays; a refund fails later', { refund: 'fails' }),
  visa('createDispute', '4000000000000259', 'Pays, then is disputed', { dispute: 'fraudulent' }),
];

const aliases: Record<string, string> = {
  chargeDeclined: 'visa_chargeDeclined',
  chargeDeclinedInsufficientFunds: 'visa_chargeDeclinedInsufficientFunds',
};

const byNumber = new Map(testCards.map((card) => [card.number, card]));
const byName = new Map(testCards.map((card) => [card.name, card]));

export function findCardByNumber(number: string): TestCard | null {
  return byNumber.get(number) ?? null;
}

/** Accepts `pm_card_visa`, `tok_visa` and the bare name. */
export function findCardByName(id: string): TestCard | null {
  const name = id.replace(/^(pm_card_|tok_)/, '');
  return byName.get(aliases[name] ?? name) ?? null;
}

/** The behavior of a stored payment method; an unknown name succeeds. */
export function findBehavior(name: string | undefined): Behavior {
  return byName.get(name ?? '')?.behavior ?? {};
}
