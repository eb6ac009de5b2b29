import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { defaultTripSearch } from '#web/tickets/trip/trip-search.ts';
import { openPage, success, TICKETS } from '../platform/page.ts';
import { chooseSailing, findSummary, press, user } from './purchase-steps.ts';
import {
  answerApi,
  buildCatalogue,
  buildHold,
  buildQuote,
  buildSailing,
  changeDraft,
  currentDraft,
  refusal,
  visit,
} from './visit-tickets.tsx';

beforeEach(() => {
  openPage(`${TICKETS}/orders/new`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
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
  await user.click(within(summary).getByRole('link', { name: /^Choose the length/ }));
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Length' }));
  await user.click(screen.getByRole('radio', { name: '18–22 ft' }));
  const booked = screen.getByText('22 ft');
  expect(booked.getAttribute('translate')).toBe('no');
  expect(booked.closest('output')?.textContent).toMatch(/^Booked as 22 ft\./);
  expect(currentDraft().trip?.length).toBe('22 ft');
  await user.click(screen.getByRole('radio', { name: 'Exact length' }));
  await user.type(screen.getByRole('textbox', { name: 'Exact length' }), '5.4 m');
  expect(screen.getByText('17 ft 9 in').closest('output')?.textContent).toBe('That is 17 ft 9 in (5.4 m).');
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

test('each day has its lowest price, or says why it has none, and shows its sailings', async () => {
  const day = (date: string, over: object = {}) => ({
    ...{ day: date, state: 'on_sale', from_amount: 1850, currency: 'USD' },
    ...over,
  });
  const api = answerApi({
    'GET /api/sailing_days': () =>
      success([
        day('2026-12-01', { from_amount: 925 }),
        day('2026-12-02', { state: 'full', from_amount: null }),
        day('2026-12-03', { state: 'none', from_amount: null }),
        day('2026-12-04', { state: 'canceled', from_amount: null }),
        day('2026-12-05', { state: 'unavailable', from_amount: null }),
      ]),
    'GET /api/catalogue': () => success(buildCatalogue({ on_sale_from: '2026-12-01' })),
  });
  changeDraft({ hasSearched: true });
  await visit('/?step=sailings');
  const days = await screen.findByRole('list', { name: 'Days with their lowest price' });
  await within(days).findByText('$9.25');
  expect(
    within(days)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Tue, Dec\u00a01 $9.25',
    'Wed, Dec\u00a02 Sold out',
    'Thu, Dec\u00a03 No sailings',
    'Fri, Dec\u00a04 Canceled',
    'Sat, Dec\u00a05 Not on sale',
    'Sun, Dec\u00a06 ',
    'Mon, Dec\u00a07 ',
  ]);
  expect(within(days).getByRole('button', { pressed: true }).textContent).toContain('Dec\u00a01');
  expect(screen.getByRole('button', { name: 'Earlier days' }).getAttribute('aria-disabled')).toBe('true');
  await press(/^Sat, Dec/);
  expect(currentDraft().trip?.outDate).toBe('2026-12-05');
  await waitFor(() => expect(api.to('GET /api/sailings').at(-1)?.query.get('date')).toBe('2026-12-05'));
  expect(within(days).getByText(/Dec.7/)).toBeDefined();
  await press('Later days');
  expect(within(days).getByText(/Dec.8/)).toBeDefined();
  expect(currentDraft().trip?.outDate).toBe('2026-12-05');
  expect(api.to('GET /api/sailing_days').map(({ query }) => [query.get('from'), query.get('to')])).toEqual([
    ['2026-12-01', '2026-12-07'],
    ['2026-12-08', '2026-12-14'],
  ]);
});

test('the prices of a return contain both journeys from the start', async () => {
  answerApi();
  await visit('/');
  await user.click(await screen.findByRole('radio', { name: 'Return' }));
  await press('Show sailings');
  expect(await screen.findByText(/^Prices both ways for 1 traveler/)).toBeDefined();
  await waitFor(() => expect(screen.getAllByText('$37.00')).not.toHaveLength(0));
  await press(/^Choose the /);
  await screen.findByRole('heading', { name: /^Return/ });
  const list = await screen.findByRole('list', { name: /^Sailings on/ });
  expect(within(list).getByText('$37.00')).toBeDefined();
  expect(screen.queryByText('$18.50')).toBeNull();
});

test('the party is changed beside the sailings, which then have its prices, and the chosen one stays', async () => {
  const api = answerApi();
  await visit('/');
  await press('Show sailings');
  await press(/^Choose the /);
  await user.click(await screen.findByText(/^Prices one way for 1 traveler/));
  await press('Fewer: Adult');
  await press('Show prices');
  const summary = await findSummary('Please check your trip');
  expect(within(summary).getByRole('link')).toBeDefined();
  await press('More: Adult');
  await press('More: Adult');
  await press('Show prices');
  expect(await screen.findByText(/^Prices one way for 2 travelers/)).toBeDefined();
  await waitFor(() => expect(currentDraft().outward?.id).toBe('sai_out1'));
  await waitFor(() => expect(api.to('GET /api/sailings').at(-1)?.query.get('passengers[adult]')).toBe('2'));
  expect(screen.queryByRole('button', { name: 'Show prices' })).toBeNull();
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
          ...{ first, onward, transfer_port: { id: 'prt_a', name: 'Port Madrona' }, transfer_minutes: 45 },
          ...{ duration_minutes: 110, availability: first.availability, from_amount: 3000, currency: 'USD' },
        },
      ]),
  });
  changeDraft({
    hasSearched: true,
    trip: { ...defaultTripSearch(camelCased(buildCatalogue()), '2026-06-05'), from: 'prt_b', to: 'prt_c' },
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
  expect(chosen.textContent).toContain('change at Port Madrona (45 min)');
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
        { sailing_id: 'sai_x', departs_local: '2026-12-03T08:00:00-08:00', status: 'canceled' },
        { sailing_id: 'sai_y', departs_local: '2026-12-04T08:00:00-08:00', status: 'scheduled' },
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
