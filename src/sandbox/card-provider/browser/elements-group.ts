import { type Client, IntegrationError, requireObject } from './client.ts';
import { createExpressCheckout, type ExpressPayment } from './express-checkout.ts';
import { createFrameElement, type FrameElement, type FrameSettings } from './frame-element.ts';
import type { Appearance, FrameKind, ProviderError } from './messages.ts';

export type GroupOptions = Record<string, unknown>;

/** The group's internals, which the merchant's page cannot access. */
type Internals = {
  options: GroupOptions;
  submitted: boolean;
  /** A wallet payment that is not confirmed yet; takes precedence over the fields. */
  express: ExpressPayment | null;
  cardElement(): FrameElement | null;
};

const internals = new WeakMap<object, Internals>();

export function getInternals(elements: unknown): Internals {
  const inside = typeof elements === 'object' && elements !== null ? internals.get(elements) : undefined;
  if (!inside)
    throw new IntegrationError(
      'Invalid value for elements: it should be an Elements object of this Stripe instance.',
    );
  return inside;
}

const frameKinds = new Set<string>([
  'payment',
  'card',
  'address',
  'linkAuthentication',
  'expressCheckout',
] satisfies FrameKind[]);

export function createElements(client: Client, given: unknown) {
  const inside: Internals = {
    options: checkOptions(given === undefined ? {} : requireObject(given, 'elements()')),
    submitted: false,
    express: null,
    cardElement,
  };
  const made = new Map<string, FrameElement>();
  const frames = new Set<FrameElement>();
  const listeners = new Set<() => void>();

  function cardElement(): FrameElement | null {
    return [...frames].find(({ kind }) => kind === 'payment' || kind === 'card') ?? null;
  }

  function createFramed(kind: FrameKind, options: object): FrameElement {
    const element = (kind === 'expressCheckout' ? createExpress : createFrameElement)({
      origin: client.origin,
      kind,
      options: { ...options },
      appearance: readAppearance(inside.options),
      onChange() {
        inside.submitted = false;
      },
      onDestroy() {
        made.delete(kind);
        frames.delete(element);
      },
    });
    frames.add(element);
    return element;
  }

  function createExpress(settings: FrameSettings): FrameElement {
    return createExpressCheckout(client, settings, inside);
  }

  const elements = {
    create(type: string, options: object = {}) {
      if (made.has(type)) throw new IntegrationError(`Can only create one Element of type ${type}.`);
      if (!frameKinds.has(type)) {
        throw new IntegrationError(
          `A valid Element name must be provided. This sandbox has no Element "${type}".`,
        );
      }
      const element = createFramed(type as FrameKind, options);
      made.set(type, element);
      return element;
    },
    getElement: (type: unknown) => (typeof type === 'string' ? (made.get(type) ?? null) : null),
    async update(changes: GroupOptions) {
      inside.options = checkOptions({ ...inside.options, ...requireObject(changes, 'elements.update()') });
      for (const element of frames) element.setAppearance(readAppearance(inside.options));
      for (const listener of listeners) listener();
    },
    fetchUpdates: async () => ({}),
    async submit(): Promise<{ error?: ProviderError; selectedPaymentMethod?: string }> {
      if (inside.express) {
        inside.submitted = true;
        return { selectedPaymentMethod: inside.express.wallet };
      }
      for (const element of frames) {
        if (element.kind === 'expressCheckout') continue;
        const { error } = await element.validate();
        if (error) return { error };
      }
      inside.submitted = true;
      return { selectedPaymentMethod: 'card' };
    },
    on(name: string, handler: () => void) {
      if (name === 'update-end') listeners.add(handler);
    },
  };
  internals.set(elements, inside);
  return elements;
}

function readAppearance(options: GroupOptions): Appearance {
  const { appearance } = options;
  return typeof appearance === 'object' && appearance !== null ? appearance : {};
}

const removed = ['paymentMethodTypes', 'payment_method_types'];

/** Validates the options like the real library. */
function checkOptions(options: GroupOptions): GroupOptions {
  for (const name of removed) {
    if (name in options)
      throw new IntegrationError(`The ${name} option was removed. Use allowedPaymentMethodTypes.`);
  }
  const { mode, amount, currency, clientSecret } = options;
  if (mode === undefined) return options;
  if (mode !== 'payment' && mode !== 'setup') {
    throw new IntegrationError('Invalid value for elements(): mode should be one of payment, setup.');
  }
  if (clientSecret !== undefined)
    throw new IntegrationError('In elements(), you cannot specify both clientSecret and mode.');
  if (currency !== undefined || mode === 'payment') requireCurrency(currency);
  if (mode === 'payment' && !(Number.isInteger(amount) && Number(amount) >= 0)) {
    throw new IntegrationError(
      'Invalid value for elements(): amount should be a whole number of minor units, 0 or more.',
    );
  }
  return options;
}

function requireCurrency(currency: unknown): void {
  if (typeof currency === 'string' && /^[a-z]{3}$/.test(currency)) return;
  throw new IntegrationError(
    'Invalid value for elements(): currency should be a lower-case three-letter code.',
  );
}
