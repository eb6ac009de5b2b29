import type { Stripe } from 'stripe';
import { invalid, noSuch } from '../errors.ts';
import { allowOnly, readAddress, readGroup, readMetadata, readText } from '../parameters.ts';
import { nulls, type Stored } from '../records.ts';
import {
  type Call,
  changeRoute,
  ok,
  type Route,
  requireFromPath,
  requireLive,
  retrieveRoute,
} from './call.ts';
import { listObjects, listParameters, listRoute } from './lists.ts';
import { detachMethod } from './payment-methods.ts';

const profile = [
  'address',
  'description',
  'email',
  'invoice_settings',
  'metadata',
  'name',
  'phone',
  'preferred_locales',
  'shipping',
] as const;

export const customerRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    allowedParameters: [...profile, 'payment_method'],
    async run(call) {
      const doc = blankCustomer(call);
      await applyProfile(call, doc);
      const customer = call.unit.create('customer', doc);
      call.unit.emit('customer.created', customer.doc);
      return ok(doc);
    },
  },
  listRoute('customer', ['email']),
  retrieveRoute('customer'),
  changeRoute('customer', '', profile, async (call, stored) => {
    const { doc } = requireLive(stored, 'id', 404);
    await applyProfile(call, doc);
    call.unit.emit('customer.updated', doc);
  }),
  {
    method: 'DELETE',
    path: '/v1/customers/:id',
    allowedParameters: [],
    async run(call) {
      const customer = requireLive(await requireFromPath(call, 'customer'), 'id', 404);
      for (const method of await call.unit.findBy('payment_method', 'customer', customer.id)) {
        detachMethod(call.unit, method);
      }
      call.unit.emit('customer.deleted', customer.doc);
      const deleted: Stored<'customer'> = customer;
      deleted.doc = { id: customer.id, object: 'customer', deleted: true };
      call.unit.save(deleted);
      return ok(deleted.doc);
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    allowedParameters: [...listParameters, 'type', 'allow_redisplay'],
    async run(call) {
      const customer = requireLive(await requireFromPath(call, 'customer', 'customer'), 'customer', 404);
      const equals = { customer: customer.id, type: readText(call.parameters, 'type') };
      return listObjects(call, 'payment_method', `/v1/customers/${customer.id}/payment_methods`, equals);
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id/payment_methods/:method',
    allowedParameters: [],
    async run(call) {
      const customer = await requireFromPath(call, 'customer', 'customer');
      const id = call.path.method ?? '';
      const method = await call.unit.find('payment_method', id);
      if (!method || method.doc.customer !== customer.id)
        throw noSuch('PaymentMethod', id, 'payment_method', 404);
      return ok(method.doc);
    },
  },
];

function blankCustomer(call: Call): Stripe.Customer {
  return {
    id: call.unit.id('cus_'),
    object: 'customer',
    balance: 0,
    created: call.unit.seconds,
    delinquent: false,
    invoice_prefix: call.unit.id('').slice(0, 8).toUpperCase(),
    invoice_settings: {
      ...nulls('custom_fields', 'default_payment_method', 'footer', 'rendering_options'),
    },
    livemode: false,
    metadata: {},
    next_invoice_sequence: 1,
    preferred_locales: [],
    tax_exempt: 'none',
    ...nulls('address', 'currency', 'default_source', 'description', 'discount', 'email', 'name', 'phone'),
    ...nulls('shipping', 'test_clock'),
  };
}

async function applyProfile(call: Call, doc: Stripe.Customer): Promise<void> {
  const { parameters } = call;
  for (const field of ['description', 'email', 'name', 'phone'] as const) {
    if (parameters[field] !== undefined)
      doc[field] = readText(parameters, field, field === 'phone' ? 50 : 512);
  }
  if (doc.email && !/^[^\s@]+@[^\s@]+$/.test(doc.email)) {
    throw invalid(`Invalid email address: ${doc.email.slice(0, 100)}`, 'email', 'email_invalid');
  }
  if (parameters.address !== undefined) doc.address = readAddress(parameters);
  doc.metadata = readMetadata(parameters, doc.metadata);
  await applyDefaultMethod(call, doc);
}

async function applyDefaultMethod(call: Call, doc: Stripe.Customer): Promise<void> {
  const settings = readGroup(call.parameters, 'invoice_settings');
  allowOnly(settings, ['default_payment_method', 'footer']);
  if (settings.default_payment_method === undefined) return;
  const id = readText(settings, 'default_payment_method');
  if (id !== null) {
    const method = await call.unit.find('payment_method', id);
    if (method?.doc.customer !== doc.id) {
      const message = `The customer does not have a payment method with the ID ${id.slice(0, 100)}. The payment method must be attached to the customer.`;
      throw invalid(message, 'invoice_settings[default_payment_method]', 'resource_missing');
    }
  }
  doc.invoice_settings.default_payment_method = id;
}
