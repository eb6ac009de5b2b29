import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { profileStore } from '#web/platform/account/profile.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { defaultTrip } from '#web/tickets/trip/trip.ts';
import { buildPageConfig, openPage, success, TICKETS } from '../platform/page.ts';
import {
  answerApi,
  buildCatalogue,
  buildCustomer,
  buildHold,
  buildQuote,
  buildSailing,
  buildUnpaidOrder,
  changeDraft,
  currentDraft,
  refusal,
  visit,
} from './visit-tickets.tsx';

const user = userEvent.setup();

beforeEach(() => {
  openPage(`${TICKETS}/orders/new`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const press = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }));

async function findSummary(title: string): Promise<HTMLElement> {
  const summary = (await screen.findByRole('heading', { name: title })).parentElement;
  if (!summary) throw new Error('The summary has no box.');
  return summary;
}

async function chooseSailing() {
  await press('Show sailings');
  await press(/^Choose the /);
  await screen.findByText('No refund.');
}

async function fillDetails() {
  await user.type(await screen.findByLabelText('Name'), 'Ada Lovelace');
  await user.type(screen.getByLabelText('Email'), 'ada@example.com');
  await user.click(screen.getByRole('checkbox', { name: 'I accept the terms of carriage' }));
}

test('the purchase leads from the trip to the payment, and the browser’s back button one step back', async () => {
  const api = answerApi();
  const { router } = await visit('/orders/new');
  await chooseSailing();
  await press('Continue');
  const heading = await screen.findByRole('heading', { name: 'Your details' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  const purposes = ['Name', 'Email', /^Phone/].map(
    (label) => screen.getByLabelText<HTMLInputElement>(label).autocomplete,
  );
  expect(purposes).toEqual(['name', 'email', 'tel']);
  await fillDetails();
  await press('Go to payment');
  await screen.findByRole('heading', { name: 'Payment' });

  expect(router.state.location.pathname).toBe('/orders/new');
  expect(router.state.location.search).toBe('?step=pay');
  expect(api.to('POST /api/holds')[0]?.body).toEqual({ quote_id: 'quote-00000000000000000-saver' });
  expect(api.to('POST /api/orders')[0]?.body).toEqual({
    hold_id: 'hld_1',
    quote_id: 'quote-00000000000000000-saver',
    contact: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '' },
    plate: null,
    terms_version: '1',
    locale: 'en-US',
  });
  expect(currentDraft().orderContact).toMatchObject({ email: 'ada@example.com' });
  await router.navigate(-1);
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  expect(name.value).toBe('Ada Lovelace');
});

test('a party of the largest size explains at each counter why no one can be added', async () => {
  answerApi();
  await visit('/');
  const adults = await screen.findByRole('spinbutton', { name: 'Adult' });
  await user.clear(adults);
  await user.type(adults, '9');
  const reason = screen.getByText(/^You can book up to 9 people at once. For a larger group, call/);
  const more = screen.getByRole('button', { name: 'More: Adult' });
  expect(more.getAttribute('aria-disabled')).toBe('true');
  expect(more.getAttribute('aria-describedby')).toBe(reason.id);
  expect(adults.getAttribute('aria-describedby')).toContain(reason.id);
  await press('Fewer: Adult');
  expect(screen.queryByText(/people at once/)).toBeNull();
  expect(more.hasAttribute('aria-describedby')).toBe(false);
});

test('each completed step links back, and choices, details and the order stay', async () => {
  const api = answerApi();
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  await screen.findByRole('heading', { name: 'Payment' });

  await press('Back to Details');
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  expect(name.value).toBe('Ada Lovelace');
  expect(screen.queryByRole('button', { name: 'Back to Pay' })).toBeNull();
  await press('Back to Sailing');
  await screen.findByRole('heading', { name: 'Choose your sailing' });
  expect(currentDraft()).toMatchObject({ outward: { id: 'sai_out1' }, orderId: 'ord_1' });
  await press('Continue');
  await screen.findByRole('heading', { name: 'Your details' });
  expect(api.to('POST /api/holds')).toHaveLength(1);
  expect(api.to('POST /api/orders/ord_1/cancel')).toHaveLength(0);
});

test('no step links back while a payment is pending', async () => {
  answerApi();
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  await screen.findByRole('button', { name: 'Back to Details' });
  act(() => changeDraft({ isPaymentOpen: true }));
  expect(screen.queryByRole('button', { name: /^Back to/ })).toBeNull();
});

test('both addresses show the same screen under the same title', async () => {
  answerApi();
  await visit('/orders/new');
  await screen.findByRole('heading', { name: 'Purchase tickets' });
  await waitFor(() => expect(document.title).toBe('Purchase Tickets | Sound Ferries'));
  cleanup();
  await visit('/');
  await screen.findByRole('heading', { name: 'Purchase tickets' });
  await waitFor(() => expect(document.title).toBe('Purchase Tickets | Sound Ferries'));
});

test('a step that was not reached yet shows the last step reached', async () => {
  answerApi();
  await visit('/?step=pay');
  expect(await screen.findByRole('heading', { name: 'Purchase tickets' })).toBeDefined();
});

test('an incomplete trip shows an error summary that takes the focus', async () => {
  const api = answerApi();
  await visit('/');
  await press('Fewer: Adult');
  await press('Show sailings');
  const summary = await findSummary('Please check your trip');
  expect(document.activeElement).toBe(summary);
  await user.click(within(summary).getByRole('link', { name: 'Choose at least one passenger.' }));
  expect(document.activeElement).toBe(screen.getByRole('spinbutton', { name: 'Adult' }));
  expect(api.to('GET /api/sailings')).toHaveLength(0);
});

test.each([
  ['12/25/2027', 'Choose 06/01/2027 or an earlier day.'],
  ['25/12/2026', /^Enter the date as month\/day\/year/],
])('the invalid date %s is kept with its error and searches no sailings', async (text, message) => {
  const api = answerApi();
  await visit('/');
  const leave = await screen.findByLabelText<HTMLInputElement>('Leave on');
  await user.clear(leave);
  await user.type(leave, text);
  await press('Show sailings');
  const summary = await findSummary('Please check your trip');
  await user.click(within(summary).getByRole('link', { name: message }));
  expect(document.activeElement).toBe(leave);
  expect(leave.value).toBe(text);
  expect(screen.getAllByText(message)).toHaveLength(2);
  await user.type(leave, '{Enter}');
  expect(api.to('GET /api/sailings')).toHaveLength(0);
  await user.clear(leave);
  await user.type(leave, '2026-12-31{Enter}');
  await waitFor(() => expect(api.to('GET /api/sailings')[0]?.query.get('date')).toBe('2026-12-31'));
});

test('the length of a vehicle is chosen by one tap, or typed in feet or metres', async () => {
  const api = answerApi();
  await visit('/');
  await user.selectOptions(await screen.findByLabelText('Vehicle'), 'Car');
  await screen.findByRole('group', { name: 'Length' });
  await press('Show sailings');
  const summary = await findSummary('Please check your trip');
  await user.click(within(summary).getByRole('link', { name: /^Enter the length/ }));
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Length' }));
  await user.click(screen.getByRole('radio', { name: '18–22 ft' }));
  expect(screen.getByText(/^Booked as 22 ft\./)).toBeDefined();
  expect(currentDraft().trip?.length).toBe('22 ft');
  await user.click(screen.getByRole('radio', { name: 'Exact length' }));
  await user.type(screen.getByRole('textbox', { name: 'Exact length' }), '5.4 m');
  expect(screen.getByText('That is 17 ft 9 in (5.4 m).')).toBeDefined();
  await user.click(screen.getByRole('radio', { name: 'Under 18 ft' }));
  expect(screen.queryByRole('textbox', { name: 'Exact length' })).toBeNull();
  await press('Show sailings');
  await waitFor(() => expect(api.to('GET /api/sailings')[0]?.query.get('length_cm')).toBe('549'));
});

test('return sailings are offered only after the outward sailing has arrived', async () => {
  answerApi();
  await visit('/');
  await user.click(await screen.findByRole('radio', { name: 'Return' }));
  await press('Show sailings');
  expect(await screen.findByRole('heading', { name: /^Outbound/ })).toBeDefined();
  expect(screen.queryByRole('heading', { name: /^Return/ })).toBeNull();
  await press(/^Choose the /);
  await screen.findByRole('heading', { name: /^Return/ });
  const list = await screen.findByRole('list', { name: /^Sailings on/ });
  expect(within(list).getAllByRole('listitem')).toHaveLength(1);
  expect(within(list).getByText(/1:00 PM/)).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: /^Return/ })));
});

test('a journey with a change is shown, chosen and quoted with both boats', async () => {
  const onward = buildSailing('sai_onward', {
    departs_local: '2026-06-05T10:00:00-07:00',
    arrives_at: '2026-06-05T17:30:00Z',
    arrives_local: '2026-06-05T10:30:00-07:00',
    vessel: { id: 'ves_2', name: 'Petrel', accessibility_notes: '' },
    accessibility: ['This boat has no wheelchair places.'],
  });
  const first = buildSailing('sai_first', { accessibility: ['Wheelchair places on this boat: 8.'] });
  const api = answerApi({
    'GET /api/connections': () =>
      success([
        {
          ...{ first, onward, change_port: { id: 'prt_a', name: 'Port Madrona' }, change_minutes: 45 },
          ...{ duration_minutes: 110, availability: first.availability, from_amount: 3000, currency: 'USD' },
        },
      ]),
  });
  changeDraft({
    hasSearched: true,
    trip: { ...defaultTrip(camelCased(buildCatalogue()), '2026-06-05'), from: 'prt_b', to: 'prt_c' },
  });
  await visit('/?step=sailings');
  const list = await screen.findByRole('list', { name: /^Sailings on/ });
  const row = within(list).getByRole('listitem');
  expect(row.textContent).toContain('change at Port Madrona (45 min) · MV Tidewater, then Petrel');
  expect(row.textContent).toContain('$30.00');
  const facts = screen.getByText('Accessibility of ports and boats').closest('details');
  expect(
    within(facts as HTMLElement)
      .getAllByRole('heading', { hidden: true })
      .map(({ textContent }) => textContent),
  ).toEqual(['MV Tidewater', 'Petrel']);
  expect(facts?.textContent).toContain('PetrelThis boat has no wheelchair places.');
  await press(/^Choose the /);
  const chosen = await screen.findByRole('region', { name: 'Your sailing' });
  expect(within(chosen).getByText('Change at Port Madrona · 45 min')).toBeDefined();
  expect(within(chosen).getByText('Wheelchair places on this boat: 8.')).toBeDefined();
  await waitFor(() =>
    expect(api.to('POST /api/quotes')[0]?.body).toMatchObject({
      legs: [
        { sailing_id: 'sai_first', leg: 'out' },
        { sailing_id: 'sai_onward', leg: 'out_onward' },
      ],
    }),
  );
});

test('departed sailings are folded away, so that the next one comes first', async () => {
  answerApi({
    'GET /api/sailings': () =>
      success([buildSailing('sai_gone', { status: 'departed' }), buildSailing('sai_next')]),
  });
  await visit('/');
  await press('Show sailings');
  const next = await screen.findByRole('list', { name: /^Sailings on/ });
  expect(within(next).getAllByRole('listitem')).toHaveLength(1);
  const left = screen.getByText('1 sailing has left').closest('details');
  expect(left?.open).toBe(false);
  expect(left && within(left).getByText(/8:40 AM/)).toBeTruthy();
});

test('choosing a sailing shows the Continue button and moves the focus to the fares', async () => {
  answerApi();
  await visit('/');
  await press('Show sailings');
  await screen.findByRole('button', { name: /^Choose the / });
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
  await press(/^Choose the /);
  expect(await screen.findByRole('button', { name: 'Continue' })).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Fare' }));
});

test('a day without sailings shows the next day with sailings', async () => {
  answerApi({
    'GET /api/sailings': () => success([]),
    'GET /api/routes/rte_ab/timetable': () =>
      success([
        { sailing_id: 'sai_x', service_date: '2026-12-03', status: 'cancelled' },
        { sailing_id: 'sai_y', service_date: '2026-12-04', status: 'scheduled' },
      ]),
    'GET /api/catalogue': () => success(buildCatalogue({ on_sale_from: '2026-12-01' })),
  });
  changeDraft({ hasSearched: true });
  await visit('/?step=sailings');
  expect(await screen.findByText('The next day with sailings is Fri, December 4, 2026.')).toBeDefined();
  await press('Show Fri, December 4, 2026');
  expect(currentDraft().trip?.outDate).toBe('2026-12-04');
});

test('each fare shows its price, and the chosen one its rules and lines', async () => {
  answerApi();
  await visit('/');
  await chooseSailing();
  expect(screen.getByRole('radio', { name: 'Saver' })).toHaveProperty('checked', true);
  expect(await screen.findByText('$22.00')).toBeDefined();
  await user.click(screen.getByRole('radio', { name: 'Flexible' }));
  expect(await screen.findByRole('heading', { name: 'Flexible: what you pay' })).toBeDefined();
});

test('an invalid promo code shows an error beside its field, and the trip keeps its price', async () => {
  const api = answerApi({
    'POST /api/quotes': ({ body }) =>
      body.promo_code === null
        ? success(buildQuote())
        : refusal(
            'promo_invalid',
            'That promo code is not valid for this trip. Check it, or go on without.',
            { field: 'promo_code' },
          ),
  });
  await visit('/');
  await chooseSailing();
  await user.type(screen.getByLabelText(/Promo code/), 'NOPE');
  await press('Apply');
  expect(
    await screen.findByText('That promo code is not valid for this trip. Check it, or go on without.'),
  ).toBeDefined();
  expect(screen.getAllByText('$18.50').length).toBeGreaterThan(0);
  expect(api.to('POST /api/quotes').some(({ body }) => body.promo_code === 'NOPE')).toBe(true);
});

test('a changed price is shown beside the old one and must be accepted', async () => {
  const higherQuote = buildQuote({ id: 'quote-000000000000000-dearer', total: 2050 });
  let holds = 0;
  const api = answerApi({
    'POST /api/holds': () => {
      holds += 1;
      if (holds > 1) return success(buildHold());
      return refusal('price_changed', 'The price has changed.', { details: { quote: higherQuote } });
    },
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  expect(await screen.findByText(/It was \$18\.50 and is now \$20\.50/)).toBeDefined();
  expect(screen.queryByRole('heading', { name: 'Your details' })).toBeNull();
  await press('Accept and continue');
  await screen.findByRole('heading', { name: 'Your details' });
  expect(api.to('POST /api/holds')[1]?.body).toEqual({ quote_id: higherQuote.id });
});

test('a sold-out sailing shows the sailings that still have room', async () => {
  let isFull = true;
  const api = answerApi({
    'POST /api/holds': () =>
      isFull
        ? refusal('sold_out', 'That sailing has no room for your party. Choose another sailing.', {
            details: { sailing_id: 'sai_out1', alternatives: [{ sailing_id: 'sai_next' }] },
          })
        : success(buildHold()),
    'GET /api/sailings/sai_next': () =>
      success(buildSailing('sai_next', { departs_local: '2026-06-05T10:20:00-07:00' })),
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  const list = await screen.findByRole('list', { name: 'Sailings with room for your party' });
  isFull = false;
  await user.click(await within(list).findByRole('button', { name: /^Choose the / }));
  await screen.findByText('No refund.');
  await press('Continue');
  await screen.findByRole('heading', { name: 'Your details' });
  expect(currentDraft().outward?.id).toBe('sai_next');
  expect(api.to('POST /api/quotes').at(-1)?.body).toMatchObject({ legs: [{ sailing_id: 'sai_next' }] });
});

test('a write with a lost answer is repeated under the same key, and a refused one is not', async () => {
  let isDown = true;
  const api = answerApi({
    'POST /api/holds': () => {
      if (isDown) throw new TypeError('Failed to fetch');
      return success(buildHold());
    },
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await waitFor(() => expect(api.to('POST /api/holds')).toHaveLength(1));
  const key = api.to('POST /api/holds')[0]?.key;
  expect(Object.values(currentDraft().idempotencyKeys)).toEqual([key]);
  isDown = false;
  await waitFor(() => expect(screen.getByRole('button', { name: 'Continue', hidden: true })).toBeDefined());
  await user.click(screen.getByRole('button', { name: 'Continue', hidden: true }));
  await waitFor(() => expect(api.to('POST /api/holds')).toHaveLength(2));
  expect(api.to('POST /api/holds')[1]?.key).toBe(key);
  await waitFor(() => expect(currentDraft().idempotencyKeys).toEqual({}));
});

test('invalid details are shown beside their fields and in a summary', async () => {
  const api = answerApi();
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await press('Go to payment');
  const summary = await findSummary('Please check your details');
  expect(document.activeElement).toBe(summary);
  expect(within(summary).getAllByRole('link')).toHaveLength(3);
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  expect(api.to('POST /api/orders')).toHaveLength(0);
});

test('an error of the server is shown beside its field', async () => {
  answerApi({
    'POST /api/orders': () =>
      refusal('invalid_input', 'That address does not take mail.', { field: 'contact.email' }),
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  expect(await screen.findByRole('link', { name: 'That address does not take mail.' })).toBeDefined();
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
});

test('outdated terms must be accepted again', async () => {
  answerApi({ 'POST /api/orders': () => refusal('terms_outdated', 'Our terms have changed.') });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  await waitFor(() =>
    expect(screen.getByRole('checkbox', { name: /terms of carriage/ })).toHaveProperty('checked', false),
  );
});

test('where paying accepts the terms, the details have no checkbox, and a free order shows the sentence', async () => {
  const { settings } = buildPageConfig();
  const terms = { ...settings.terms, acceptance: 'pay_button' as const };
  openPage(`${TICKETS}/`, { settings: { ...settings, terms } });
  answerApi({ 'POST /api/quotes': () => success(buildQuote({ total: 0 })) });
  const { container } = await visit('/');
  await chooseSailing();
  await press('Continue');
  expect(await screen.findByRole('button', { name: 'Get the tickets' })).toBeDefined();
  expect(screen.queryByRole('checkbox', { name: /terms/ })).toBeNull();
  expect(container.textContent).toContain('By getting the tickets you accept the terms.');
});

test('an expired hold leads back to the sailings, and everything else stays', async () => {
  answerApi({ 'POST /api/orders': () => refusal('hold_expired', 'Too late.') });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  expect(
    await screen.findByText('Your hold expired. Your trip is still here. Tap Continue to try again.'),
  ).toBeDefined();
  expect(currentDraft()).toMatchObject({
    hold: null,
    contact: { name: 'Ada Lovelace', email: 'ada@example.com' },
    outward: { id: 'sai_out1' },
  });
});

const HOLD_LOST = () => refusal('not_found', 'We could not find that.', { field: 'hold_id' });

/** An API that loses the first hold and knows every later one. */
function answerWithLostHold(holdAgain: () => Response) {
  let holds = 0;
  return answerApi({
    'GET /api/sailings/sai_out2': () => success(buildSailing('sai_out2')),
    'POST /api/holds': () => {
      holds += 1;
      return holds === 1 ? success(buildHold()) : holdAgain();
    },
    'POST /api/orders': ({ body }) => (body.hold_id === 'hld_1' ? HOLD_LOST() : success(buildUnpaidOrder())),
  });
}

async function orderWithLostHold() {
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
}

test('places that the server lost are held again, and the purchase goes on', async () => {
  const api = answerWithLostHold(() => success(buildHold({ id: 'hld_2' })));
  await orderWithLostHold();
  expect(await screen.findByRole('heading', { name: 'Payment' })).toBeDefined();
  expect(api.to('POST /api/orders')).toHaveLength(2);
  expect(currentDraft()).toMatchObject({ hold: { id: 'hld_2' }, contact: { name: 'Ada Lovelace' } });
});

test('a price that changed when lost places are held again is ordered only after it is accepted', async () => {
  const higherQuote = buildQuote({ id: 'quote-000000000000000000002', total: 2450 });
  let holds = 0;
  const api = answerApi({
    'POST /api/holds': ({ body }) => {
      holds += 1;
      if (holds === 1) return success(buildHold());
      if (body.quote_id === higherQuote.id) return success(buildHold({ id: 'hld_2' }));
      return refusal('price_changed', 'The price has changed.', { details: { quote: higherQuote } });
    },
    'POST /api/orders': ({ body }) => (body.hold_id === 'hld_1' ? HOLD_LOST() : success(buildUnpaidOrder())),
  });
  await orderWithLostHold();
  expect(
    await screen.findByText(/and is now \$24\.50\. Nothing is charged unless you accept it/),
  ).toBeDefined();
  expect(api.to('POST /api/orders')).toHaveLength(1);
  await press('Accept and go to payment');
  expect(await screen.findByRole('heading', { name: 'Payment' })).toBeDefined();
  expect(api.to('POST /api/orders')).toHaveLength(2);
});

test('lost places on a sold-out sailing lead to the sailings that still have room', async () => {
  answerWithLostHold(() =>
    refusal('sold_out', 'Those places are gone.', {
      details: { resource: 'passenger', sailing_id: 'sai_out1', alternatives: [{ sailing_id: 'sai_out2' }] },
    }),
  );
  await orderWithLostHold();
  expect(await screen.findByText('Those places were just taken')).toBeDefined();
  expect(await screen.findByRole('list', { name: 'Sailings with room for your party' })).toBeDefined();
  expect(currentDraft()).toMatchObject({
    hold: null,
    contact: { name: 'Ada Lovelace', email: 'ada@example.com' },
    outward: { id: 'sai_out1' },
  });
});

test('"More time" also holds lost places again', async () => {
  const api = answerApi({
    'PATCH /api/holds/hld_1': () => refusal('not_found', 'We could not find that.'),
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await press('More time');
  await waitFor(() => expect(api.to('POST /api/holds')).toHaveLength(2));
  expect(screen.queryByText('We could not find that.')).toBeNull();
});

test('"More time" extends the hold', async () => {
  const later = new Date(Date.now() + 1_200_000).toISOString();
  answerApi({
    'PATCH /api/holds/hld_1': () => success(buildHold({ expires_at: later, can_extend: false })),
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await press('More time');
  await waitFor(() => expect(currentDraft().hold?.expiresAt).toBe(later));
  expect(screen.queryByRole('button', { name: 'More time' })).toBeNull();
});

test('a signed-in customer’s contact is filled in', async () => {
  answerApi();
  profileStore.set({
    customer: buildCustomer({ name: 'Ada Lovelace', email: 'ada@example.com' }),
    loaded: true,
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  expect(await screen.findByDisplayValue('ada@example.com')).toBeDefined();
});

test('a free order needs no card', async () => {
  const free = buildUnpaidOrder({ total: 0, status: 'confirmed', payment_status: 'none' });
  answerApi({
    'POST /api/orders': () => success(free),
    'GET /api/orders/ord_1': () => success(free),
  });
  const { router } = await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  await waitFor(() => expect(router.state.location.pathname).toBe('/orders/ord_1/confirmation'));
});

test('a reload restores the step and the choices', async () => {
  answerApi();
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await user.type(await screen.findByLabelText('Name'), 'Ada');
  cleanup();
  await visit('/?step=details');
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('Ada');
  expect(screen.getAllByText('$18.50').length).toBeGreaterThan(0);
});

test('a draft stored by another version is ignored', async () => {
  sessionStorage.setItem('purchase', JSON.stringify({ version: 0, draft: { hasSearched: true } }));
  answerApi();
  await visit('/?step=sailings');
  expect(await screen.findByRole('heading', { name: 'Purchase tickets' })).toBeDefined();
});
