import type { Stripe } from 'stripe';
import { expiryProblem, getCodeLength, keepDigits, numberProblem } from '../browser/card-rules.ts';
import { ApiRefusal, declineError, invalid, noSuch, unusableCard } from '../errors.ts';
import {
  allowOnly,
  type Parameters,
  readAddress,
  readChoice,
  readGroup,
  readInteger,
  readMetadata,
  readText,
  requireText,
} from '../parameters.ts';
import type { Stored } from '../records.ts';
import { findBehavior, findCardByName, findCardByNumber, type TestCard } from '../test-cards.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { type Call, changeRoute, ok, type Route, requireCustomer, retrieveRoute } from './call.ts';
import { listRoute } from './lists.ts';

const methodData = ['type', 'card', 'billing_details', 'allow_redisplay', 'metadata'] as const;

export const paymentMethodRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/payment_methods',
    allowedParameters: methodData,
    publishable: true,
    run: async (call) => ok(createMethod(call, call.parameters).doc),
  },
  listRoute('payment_method', ['customer', 'type'], async (call) => {
    const customer = readText(call.parameters, 'customer');
    if (customer !== null) await requireCustomer(call, customer);
  }),
  retrieveRoute('payment_method'),
  changeRoute(
    'payment_method',
    '',
    ['allow_redisplay', 'billing_details', 'card', 'metadata'],
    (call, { doc }) => {
      if (!doc.customer) {
        throw invalid(
          'You must attach this PaymentMethod to a customer before updating it.',
          'payment_method',
        );
      }
      updateMethod(call, doc);
    },
  ),
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    allowedParameters: ['customer'],
    async run(call) {
      const customer = await requireCustomer(call, requireText(call.parameters, 'customer'));
      const method = await requireMethod(call, call.path.id ?? '', 404);
      const refused = findBehavior(method.secret.behavior).save;
      if (refused) return { status: 402, body: { error: declineError(refused) } };
      attachMethod(call.unit, method, customer.id);
      return ok(method.doc);
    },
  },
  changeRoute('payment_method', '/detach', [], async (call, method) => {
    if (!method.doc.customer) {
      throw invalid(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
        'payment_method',
      );
    }
    await clearDefault(call, method);
    detachMethod(call.unit, method);
  }),
];

/** The payment method with an id; for one of the provider's test ids, a new one. */
export async function requireMethod(
  call: Call,
  id: string,
  status: 400 | 404,
): Promise<Stored<'payment_method'>> {
  const card = id.startsWith('pm_card_') ? findCardByName(id) : null;
  if (card)
    return storeMethod(call, card, {
      month: 12,
      year: new Date(call.unit.now).getUTCFullYear() + 3,
      codeGiven: true,
    });
  const method = await call.unit.find('payment_method', id);
  if (!method) throw noSuch('PaymentMethod', id, 'payment_method', status);
  return method;
}

/** Creates a payment method from card details (browser) or a test token (server). */
export function createMethod(call: Call, data: Parameters): Stored<'payment_method'> {
  allowOnly(data, methodData);
  if (requireText(data, 'type') !== 'card') {
    throw invalid('This payment method type is not available; only card is.', 'type');
  }
  const { card, details } = readCard(call, readGroup(data, 'card'));
  const method = storeMethod(call, card, details);
  method.doc.billing_details = readBilling(data, method.doc.billing_details);
  method.doc.allow_redisplay =
    readChoice(data, 'allow_redisplay', ['always', 'limited', 'unspecified']) ?? 'unspecified';
  method.doc.metadata = readMetadata(data);
  return method;
}

/** Attaches a payment method to a customer. Once detached or used up, it cannot be attached again. */
export function attachMethod(unit: UnitOfWork, method: Stored<'payment_method'>, customer: string): void {
  if (method.doc.customer === customer) return;
  if (method.doc.customer) {
    throw invalid(
      'The payment method you provided has already been attached to a customer.',
      'payment_method',
    );
  }
  refuseSpent(method);
  method.doc.customer = customer;
  unit.save(method);
  unit.emit('payment_method.attached', method.doc);
}

/** A payment method charged or detached without being attached may not be used again. */
export function refuseSpent(method: Stored<'payment_method'>): void {
  if (!method.secret.spent) return;
  throw invalid(
    'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
    'payment_method',
  );
}

export function detachMethod(unit: UnitOfWork, method: Stored<'payment_method'>): void {
  const customer = method.doc.customer;
  method.doc.customer = null;
  method.secret.spent = true;
  unit.save(method);
  unit.emit('payment_method.detached', method.doc, { customer });
}

async function clearDefault(call: Call, method: Stored<'payment_method'>): Promise<void> {
  const customer = await requireCustomer(call, String(method.doc.customer));
  if (customer.doc.invoice_settings.default_payment_method !== method.id) return;
  customer.doc.invoice_settings.default_payment_method = null;
  call.unit.save(customer);
}

function updateMethod(call: Call, doc: Stripe.PaymentMethod): void {
  const card = readGroup(call.parameters, 'card');
  allowOnly(card, ['exp_month', 'exp_year', 'networks']);
  if (doc.card) {
    const month = readInteger(card, 'exp_month', 'card[exp_month]') ?? doc.card.exp_month;
    const year = readInteger(card, 'exp_year', 'card[exp_year]') ?? doc.card.exp_year;
    refuseExpiry(month, year, call.unit.now);
    doc.card.exp_month = month;
    doc.card.exp_year = year;
  }
  doc.billing_details = readBilling(call.parameters, doc.billing_details);
  doc.metadata = readMetadata(call.parameters, doc.metadata ?? {});
  call.unit.emit('payment_method.updated', doc);
}

type CardDetails = { month: number; year: number; codeGiven: boolean; wallet?: Wallet | null };

const wallets = ['apple_pay', 'google_pay', 'link'] as const;
type Wallet = (typeof wallets)[number];

function readCard(call: Call, group: Parameters): { card: TestCard; details: CardDetails } {
  const token = readText(group, 'token');
  if (token !== null) {
    const card = findCardByName(token);
    if (!card) throw noSuch('token', token, 'card[token]', 400);
    const year = new Date(call.unit.now).getUTCFullYear() + 3;
    const wallet = readChoice(group, 'wallet', wallets);
    return { card, details: { month: 12, year, codeGiven: wallet === null, wallet } };
  }
  allowOnly(group, ['number', 'exp_month', 'exp_year', 'cvc']);
  if (call.authority === 'secret') {
    // Servers must not send raw card numbers.
    throw new ApiRefusal(402, {
      type: 'invalid_request_error',
      message:
        'Sending credit card numbers directly to the Stripe API is generally unsafe. To continue processing use the card form of the browser library.',
    });
  }
  return readRawCard(call, group);
}

function readRawCard(call: Call, group: Parameters): { card: TestCard; details: CardDetails } {
  const number = keepDigits(requireText(group, 'number'));
  if (numberProblem(number))
    throw unusableCard('Your card number is incorrect.', 'number', 'incorrect_number');
  const month = readInteger(group, 'exp_month') ?? 0;
  const givenYear = readInteger(group, 'exp_year') ?? 0;
  const year = givenYear < 100 ? 2000 + givenYear : givenYear;
  refuseExpiry(month, year, call.unit.now);
  const code = readText(group, 'cvc');
  if (code !== null && (!/^\d+$/.test(code) || code.length !== getCodeLength(number))) {
    throw unusableCard("Your card's security code is invalid.", 'cvc', 'invalid_cvc');
  }
  const card = findCardByNumber(number);
  if (!card) {
    throw new ApiRefusal(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message: 'Your card was declined. Your request was in test mode, but used a non test card.',
    });
  }
  return { card, details: { month, year, codeGiven: code !== null } };
}

function refuseExpiry(month: number, year: number, now: number): void {
  const problem = expiryProblem(month, year, new Date(now));
  if (!problem) return;
  if (problem.code.startsWith('invalid_expiry_year')) {
    throw unusableCard("Your card's expiration year is invalid.", 'exp_year', 'invalid_expiry_year');
  }
  throw unusableCard("Your card's expiration month is invalid.", 'exp_month', 'invalid_expiry_month');
}

function readBilling(
  data: Parameters,
  current: Stripe.PaymentMethod['billing_details'],
): Stripe.PaymentMethod['billing_details'] {
  const billing = readGroup(data, 'billing_details');
  allowOnly(billing, ['address', 'email', 'name', 'phone', 'tax_id']);
  return {
    address: billing.address === undefined ? current.address : readAddress(billing),
    email: readText(billing, 'email') ?? current.email,
    name: readText(billing, 'name') ?? current.name,
    phone: readText(billing, 'phone') ?? current.phone,
    tax_id: current.tax_id,
  };
}

const displayBrands: Record<string, string> = {
  amex: 'american_express',
  diners: 'diners_club',
  unionpay: 'union_pay',
};

function storeMethod(call: Call, card: TestCard, details: CardDetails): Stored<'payment_method'> {
  const doc: Stripe.PaymentMethod = {
    id: call.unit.id('pm_'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
      email: null,
      name: null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: details.codeGiven ? 'unchecked' : null,
      },
      country: card.country,
      display_brand: displayBrands[card.brand] ?? card.brand,
      exp_month: details.month,
      exp_year: details.year,
      fingerprint: call.fingerprint(card.number),
      funding: card.funding,
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: details.wallet ? { type: details.wallet, dynamic_last4: null, [details.wallet]: {} } : null,
    },
    created: call.unit.seconds,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  return call.unit.create('payment_method', doc, { behavior: card.name });
}
