import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Order, OrderSummary } from '#contract/orders/schemas.ts';
import { markAvailable, markUnavailable } from '#web/platform/connection/connection.ts';
import { startSession } from '#web/platform/session/session.ts';
import { json, openPage, success, TICKETS, TOKEN } from '../../platform/page.ts';
import { buildLeg, buildOrder, buildSummary, NOW, referenceOf } from '../build-order.ts';
import { answerApi, listAnswer, visitPortal } from '../visit-portal.tsx';

let list: (url: URL) => Response | Promise<Response>;
let isLost: boolean;
let requests: ReturnType<typeof answerApi>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  openPage();
  startSession(TOKEN);
  list = () => listAnswer([]);
  isLost = false;
  requests = answerApi(({ url }) => {
    if (isLost) return Promise.reject(new TypeError('Failed to fetch'));
    if (url.pathname === '/api/customers/orders') return list(url);
    const [, id] = /^\/api\/customers\/orders\/(.+)$/.exec(url.pathname) ?? [];
    if (id === undefined) return undefined;
    const number = Number(id.slice(4));
    return number < 10
      ? success(buildOrder(number))
      : json(
          {
            success: false,
            errors: [{ code: 'not_found', message: 'We could not find that. It may have been removed.' }],
          },
          404,
        );
  });
});
afterEach(() => {
  cleanup();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const views = (url: URL) =>
  url.search.includes('departs_at') ? (url.search.includes('status') ? 'upcoming' : 'past') : 'all';
const listCalls = () =>
  requests
    .map(({ url }) => new URL(url, window.location.href))
    .filter((url) => url.pathname === '/api/customers/orders');
const serve = (upcoming: OrderSummary[], others: OrderSummary[] = upcoming) => {
  list = (url) => listAnswer(views(url) === 'upcoming' ? upcoming : others);
};
const references = () => screen.queryAllByRole('listitem').flatMap((item) => item.dataset.order ?? []);

/** Of the link to an order, and of its heading. */
const namedBy = (number: number) => new RegExp(`→.* Order ${referenceOf(number)}$`);

describe('My Orders', () => {
  test('says that it is loading until the orders are loaded', async () => {
    list = () => new Promise(() => undefined);
    await visitPortal('/orders');
    expect(screen.getByText('Loading your orders…')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'My Orders' })).toBeTruthy();
  });

  test('leads a new customer to the ticket office', async () => {
    await visitPortal('/orders');
    expect(await screen.findByText('No orders yet')).toBeTruthy();
    const links = screen.getAllByRole('link', { name: 'Buy tickets' });
    expect(links.map((link) => link.getAttribute('href'))).toContain(`${TICKETS}/`);
    expect(screen.queryByRole('radio')).toBeNull();
  });

  test('shows no filters until it is known that the account has orders', async () => {
    let answerAll: (response: Response) => void = () => undefined;
    list = (url) =>
      views(url) === 'upcoming'
        ? listAnswer([])
        : new Promise((resolve) => {
            answerAll = resolve;
          });
    await visitPortal('/orders');
    await waitFor(() => expect(listCalls().map(views)).toContain('all'));
    expect(screen.getByText('Loading your orders…')).toBeTruthy();
    expect(screen.queryByRole('tab')).toBeNull();
    answerAll(listAnswer([buildSummary(2, { legs: [buildLeg(-30)], display_status: 'used' })]));
    expect(await screen.findByRole('tab', { name: 'Upcoming' })).toBeTruthy();
  });

  test('shows the server’s message on a failure, and offers a retry', async () => {
    list = () => json({}, 500);
    await visitPortal('/orders');
    expect(await screen.findByText('Something went wrong and has been reported.')).toBeTruthy();
    serve([buildSummary(1)]);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText(/has been reported/)).toBeNull());
  });

  test('puts the next departure first, with what is needed at the terminal', async () => {
    const soon = buildSummary(3, { legs: [buildLeg(1)], display_status: 'today' });
    serve([buildSummary(2), soon]);
    await visitPortal('/orders');
    const card = (await screen.findByText('Your next trip')).closest('section') as HTMLElement;
    const text = card.textContent ?? '';
    for (const fact of [
      'Today, Fri, Jun 5',
      '9:12 AM',
      'Port Madrona',
      'Heron Island',
      '8:52 AM PDT',
      'in 40 min',
      'Sandpiper',
    ]) {
      expect(text).toContain(fact);
    }
    const link = within(card).getByRole('link', { name: 'Show tickets' });
    expect(link.getAttribute('href')).toBe(`/orders?order=${referenceOf(3)}&show=tickets`);
    const details = within(card).getByRole('link', { name: 'Order details' });
    expect(details.getAttribute('href')).toBe(`/orders?order=${referenceOf(3)}`);
    expect(references()).toEqual([referenceOf(2)]);
  });

  test('judges trips by the server’s clock on a device whose clock is two hours ahead', async () => {
    localStorage.setItem('clock-offset', String(-2 * 3_600_000));
    vi.setSystemTime(NOW + 2 * 3_600_000);
    serve([buildSummary(3, { legs: [buildLeg(1)], display_status: 'today' })]);
    await visitPortal('/orders');
    const card = (await screen.findByText('Your next trip')).closest('section') as HTMLElement;
    expect(card.textContent).toContain('in 40 min');
  });

  test('shows the codes of the next trip at once when the app’s shortcut is used', async () => {
    serve([buildSummary(1)]);
    const { router } = await visitPortal('/orders?show=next&source=shortcut');
    expect(await screen.findByRole('dialog', { name: 'Your tickets' })).toBeTruthy();
    expect(router.state.location.search).toBe(`?order=${referenceOf(1)}&show=tickets`);
  });

  test('shows when it was updated, and can be refreshed', async () => {
    serve([buildSummary(1)]);
    await visitPortal('/orders');
    const time = new Date(NOW).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
    expect(await screen.findByText(`Updated ${time}`)).toBeTruthy();
    const before = listCalls().length;
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(listCalls().length).toBeGreaterThan(before));
  });

  test('keeps the list on screen when a refresh fails', async () => {
    serve([buildSummary(1), buildSummary(2)]);
    await visitPortal('/orders');
    await screen.findByText('Your next trip');
    list = () => json({}, 500);
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText(/could not be updated/)).toBeTruthy();
    expect(references()).toEqual([referenceOf(2)]);
    // The overlay alone reports a lost connection, until all data is fetched again.
    act(() => markUnavailable());
    expect(screen.queryByText(/could not be updated/)).toBeNull();
    act(() => markAvailable());
    expect(screen.queryByText(/could not be updated/)).toBeNull();
  });

  test('contains no order id in any address', async () => {
    serve([buildSummary(1), buildSummary(2)]);
    await visitPortal('/orders');
    await screen.findByText('Your next trip');
    for (const link of screen.getAllByRole('link')) expect(link.getAttribute('href')).not.toMatch(/ord_/);
  });
});

describe('the filters of My Orders', () => {
  test('ask for past orders and keep the choice in the address', async () => {
    serve([buildSummary(1)], [buildSummary(2, { legs: [buildLeg(-30)], display_status: 'used' })]);
    const { router } = await visitPortal('/orders');
    await userEvent.click(await screen.findByRole('tab', { name: 'Past' }));
    await waitFor(() => expect(references()).toEqual([referenceOf(2)]));
    expect(router.state.location.search).toBe('?view=past');
    const sent = listCalls().find((url) => views(url) === 'past');
    expect(Object.fromEntries(sent?.searchParams ?? [])).toEqual({
      'filters[0][field]': 'departs_at',
      'filters[0][op]': '<',
      'filters[0][value]': '2026-06-05T14:12:00.000Z',
      sort: '-departs_at',
      page: '1',
    });
  });

  test('search all orders, and keep the text out of the address', async () => {
    const past = buildSummary(2, { legs: [buildLeg(-30)], display_status: 'used' });
    list = (url) =>
      url.searchParams.get('search') === 'Ada June 5'
        ? listAnswer([buildSummary(3), past, buildSummary(1)])
        : listAnswer([buildSummary(1)], { total_count: 6 });
    const { router } = await visitPortal('/orders');
    const field = await screen.findByLabelText('Search your orders');
    await userEvent.type(field, ' Ada June 5{Enter}');
    const upcoming = await screen.findByRole('region', { name: 'Upcoming orders' });
    const over = screen.getByRole('region', { name: 'Past orders' });
    const listedIn = (part: HTMLElement) =>
      within(part)
        .getAllByRole('listitem')
        .flatMap((item) => item.dataset.order ?? []);
    expect([listedIn(upcoming), listedIn(over)]).toEqual([
      [referenceOf(1), referenceOf(3)],
      [referenceOf(2)],
    ]);
    expect(router.state.location.search).toBe('?view=all');
    const sent = listCalls().find((url) => url.searchParams.has('search'));
    expect(Object.fromEntries(sent?.searchParams ?? [])).toEqual({
      search: 'Ada June 5',
      sort: '-departs_at',
      page: '1',
    });
    expect(document.activeElement).toBe(field);
    await userEvent.click(screen.getByRole('link', { name: namedBy(2) }));
    await screen.findByRole('heading', { level: 1, name: namedBy(2) });
    await router.navigate(-1);
    expect(await screen.findByRole('region', { name: 'Past orders' })).toBeTruthy();
  });

  test('say when no order matches, and show all again', async () => {
    list = (url) =>
      url.searchParams.has('search') ? listAnswer([]) : listAnswer([buildSummary(1)], { total_count: 6 });
    await visitPortal('/orders?view=all');
    const field = await screen.findByLabelText('Search your orders');
    await userEvent.type(field, 'K7M4{Enter}');
    expect(await screen.findByText('No order matches “K7M4”')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Show all orders' }));
    await waitFor(() => expect(references()).toEqual([referenceOf(1)]));
    expect((field as HTMLInputElement).value).toBe('');
  });

  test('search the saved orders without a connection, and say so', async () => {
    const named = buildSummary(2, { traveler_names: ['Zoë Ångström'], plate: '5KJH 220' });
    serve([buildSummary(1), named]);
    await visitPortal('/orders');
    await userEvent.click(await screen.findByRole('button', { name: 'Search your orders' }));
    const field = await screen.findByLabelText('Search your orders');
    expect(document.activeElement).toBe(field);
    isLost = true;
    act(() => markUnavailable());
    await userEvent.type(field, 'angstrom 5kjh{Enter}');
    expect(await screen.findByText('Found among the orders saved on this device.')).toBeTruthy();
    await waitFor(() => expect(references()).toEqual([referenceOf(2)]));
    await userEvent.clear(field);
    await userEvent.type(field, 'hopper{Enter}');
    expect(await screen.findByText('No saved order matches “hopper”')).toBeTruthy();
    act(() => markAvailable());
  });

  test('show the next trip only under Upcoming, and the search only if there are many orders', async () => {
    serve([buildSummary(1), buildSummary(2)]);
    list = (url) =>
      views(url) === 'upcoming'
        ? listAnswer([buildSummary(1), buildSummary(2)])
        : listAnswer([buildSummary(3)], { total_count: 2 });
    await visitPortal('/orders');
    const trip = await screen.findByText('Your next trip');
    const tabs = screen.getByRole('tablist');
    expect(tabs.compareDocumentPosition(trip) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(screen.queryByRole('search')).toBeNull();
    await userEvent.click(screen.getByRole('tab', { name: 'Past' }));
    expect(await screen.findByRole('search')).toBeTruthy();
    expect(screen.queryByText('Your next trip')).toBeNull();
  });

  test('say that there are no other upcoming trips or no past trips', async () => {
    serve([buildSummary(1)], [buildSummary(1)]);
    list = (url) => listAnswer(views(url) === 'past' ? [] : [buildSummary(1)]);
    await visitPortal('/orders');
    expect(await screen.findByText('No other upcoming trips')).toBeTruthy();
    await userEvent.click(screen.getByRole('tab', { name: 'Past' }));
    expect(await screen.findByText('No past trips')).toBeTruthy();
  });

  test('load page by page, and the focus moves to the first new order', async () => {
    const pages = [[5, 4], [3]].map((numbers) => numbers.map((number) => buildSummary(number)));
    list = (url) => {
      if (views(url) !== 'all') return listAnswer([]);
      const page = Number(url.searchParams.get('page'));
      return listAnswer(pages[page - 1] ?? [], { page, total_pages: 2, total_count: 3 });
    };
    await visitPortal('/orders?view=all');
    await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(references()).toEqual([5, 4, 3].map(referenceOf)));
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(namedBy(3)));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });
});

describe('an order in the address', () => {
  test('is found by its reference in any spelling', async () => {
    serve([buildSummary(1)]);
    await visitPortal(`/orders?order=${referenceOf(1).toLowerCase().replace('-', '')}`);
    expect(await screen.findByRole('heading', { level: 1, name: namedBy(1) })).toBeTruthy();
    expect(await screen.findByRole('img', { name: 'Ticket code F93V SVF1' })).toBeTruthy();
    const [lookUp] = listCalls();
    expect(Object.fromEntries(lookUp?.searchParams ?? [])).toEqual({
      'filters[0][field]': 'reference',
      'filters[0][op]': '==',
      'filters[0][value]': referenceOf(1),
      page: '1',
    });
  });

  test('opens from the list, and the back button closes it and restores the focus', async () => {
    serve([buildSummary(1), buildSummary(2)]);
    const { router } = await visitPortal('/orders');
    await userEvent.click(await screen.findByRole('link', { name: namedBy(2) }));
    expect(await screen.findByRole('heading', { level: 1, name: namedBy(2) })).toBeTruthy();
    expect(router.state.location.search).toBe(`?order=${referenceOf(2)}`);
    await router.navigate(-1);
    const link = await screen.findByRole('link', { name: namedBy(2) });
    await waitFor(() => expect(document.activeElement).toBe(link));
  });

  test('links to the same trip on the ticket host, as its row in the list does', async () => {
    const party = { passengers: [{ type: 'adult', count: 2 }], vehicle: null, bicycles: 0 };
    serve([buildSummary(1), buildSummary(2, { party })]);
    await visitPortal('/orders');
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Book again' });
    expect(link.href).toContain(`${TICKETS}/?from=PMA&to=HER&party=`);
  });

  test('links back to the previous history entry without adding a new one', async () => {
    serve([buildSummary(1), buildSummary(2)]);
    const { router } = await visitPortal('/404', '/orders?view=all');
    await userEvent.click(await screen.findByRole('link', { name: namedBy(2) }));
    await screen.findByRole('heading', { level: 1, name: namedBy(2) });
    await userEvent.click(within(screen.getByRole('main')).getByRole('link', { name: 'My Orders' }));
    await waitFor(() => expect(router.state.location.search).toBe('?view=all'));
    await router.navigate(-1);
    expect(router.state.location.pathname).toBe('/404');
  });

  test('links to the list if it was opened from outside', async () => {
    serve([buildSummary(1)]);
    const { router } = await visitPortal(`/orders?order=${referenceOf(1)}`);
    await screen.findByRole('img', { name: 'Ticket code F93V SVF1' });
    await userEvent.click(within(screen.getByRole('main')).getByRole('link', { name: 'My Orders' }));
    expect(await screen.findByText('Your next trip')).toBeTruthy();
    expect(router.state.location.search).toBe('');
  });

  test.each(['nonsense', referenceOf(9), referenceOf(20)])(
    'shows a message if %s does not exist',
    async (reference) => {
      list = () => listAnswer(reference === referenceOf(20) ? [buildSummary(20)] : []);
      await visitPortal(`/orders?order=${reference}`);
      expect(await screen.findByText('We could not find that order')).toBeTruthy();
    },
  );

  test('links to the tickets as files if it is paid', async () => {
    serve([buildSummary(1)]);
    await visitPortal(`/orders?order=${referenceOf(1)}`);
    const pdf = await screen.findByRole('link', { name: 'Tickets as PDF' });
    expect(pdf.getAttribute('href')).toBe('/api/orders/ord_00000000000000000000000001/tickets.pdf');
    const calendar = screen.getByRole('link', { name: 'Add to calendar' });
    expect(calendar.getAttribute('href')).toBe('/api/orders/ord_00000000000000000000000001/calendar.ics');
    await userEvent.click(screen.getByRole('button', { name: 'Send the email again' }));
    expect(await screen.findByText('Sent again to robin@example.com.')).toBeTruthy();
    expect(
      requests.some(({ url }) => url.endsWith('/api/orders/ord_00000000000000000000000001/resend')),
    ).toBe(true);
  });

  test('stays readable when the connection is lost, and so does the list', async () => {
    serve([buildSummary(1), buildSummary(2)]);
    const { router } = await visitPortal('/orders');
    await screen.findByText('Your next trip');
    act(() => markUnavailable());
    const overlay = () => screen.findByRole('heading', { name: /^Connection/ });
    expect((await overlay()).closest('dialog')).toBeNull();
    act(() => markAvailable());
    await router.navigate(`/orders?order=${referenceOf(1)}`);
    await screen.findByRole('img', { name: 'Ticket code F93V SVF1' });
    act(() => markUnavailable());
    expect((await overlay()).closest('dialog')).toBeNull();
    act(() => markAvailable());
  });

  async function visitOrder(over: Partial<Order>) {
    serve([buildSummary(1)]);
    answerApi(({ url }) => {
      if (url.pathname === '/api/customers/orders') return list(url);
      const isOrder = url.pathname.startsWith('/api/customers/orders/');
      return isOrder ? success(buildOrder(1, over)) : undefined;
    });
    await visitPortal(`/orders?order=${referenceOf(1)}`);
  }

  test('shows no status while the trip goes as planned', async () => {
    await visitOrder({});
    await screen.findByRole('img', { name: 'Ticket code F93V SVF1' });
    expect(screen.queryByRole('button', { name: /what does this mean/ })).toBeNull();
  });

  test.each<[string, Partial<Order>, string, RegExp]>([
    ['canceled', { display_status: 'canceled' }, 'Canceled', /not valid anymore/],
    [
      'past since it was loaded',
      { legs: [buildLeg(-30)] },
      'Past trip',
      /All crossings of this order are over/,
    ],
  ])('explains its status when it is %s', async (_, over, label, meaning) => {
    await visitOrder(over);
    await userEvent.click(await screen.findByRole('button', { name: `${label} (what does this mean?)` }));
    expect(screen.getByText(meaning)).toBeTruthy();
  });

  describe('without tickets', () => {
    const HOLD = {
      id: 'hld_00000000000000000000000001',
      expires_at: new Date(NOW + 8 * 60_000).toISOString(),
      expires_at_max: new Date(NOW + 20 * 60_000).toISOString(),
      can_extend: true,
    };
    const UNPAID: Partial<Order> = {
      tickets: [],
      display_status: 'paying',
      status: 'awaiting_payment',
      payment_status: 'none',
      confirmed_at: null,
      paid: 0,
      hold: HOLD,
    };

    const visitUnpaidOrder = (over: Partial<Order>) => visitOrder({ ...UNPAID, ...over });

    test('links to its payment while its places are held, and says how long', async () => {
      await visitUnpaidOrder({});
      const link = await screen.findByRole('link', { name: 'Pay $104.00' });
      expect(link.getAttribute('href')).toBe(`${TICKETS}/orders/ord_00000000000000000000000001/confirmation`);
      const until = new Date(HOLD.expires_at).toLocaleTimeString('en-US', {
        hour: 'numeric',
        minute: '2-digit',
      });
      expect(screen.getByText(new RegExp(`holding your places until ${until}`))).toBeTruthy();
      expect(screen.queryByRole('link', { name: 'Tickets as PDF' })).toBeNull();
    });

    test('offers no payment when the hold has expired', async () => {
      await visitUnpaidOrder({ hold: { ...HOLD, expires_at: new Date(NOW - 1).toISOString() } });
      expect(await screen.findByText('Not paid in time')).toBeTruthy();
      expect(screen.queryByRole('link', { name: /^Pay \$/ })).toBeNull();
    });

    test('asks the customer not to pay again while the bank checks the payment', async () => {
      await visitUnpaidOrder({ payment_status: 'processing' });
      expect(await screen.findByText('Please don’t pay again')).toBeTruthy();
      expect(screen.queryByRole('link', { name: /^Pay \$/ })).toBeNull();
    });

    test('says that it was not paid in time', async () => {
      await visitUnpaidOrder({ status: 'expired', display_status: 'expired', hold: null });
      expect(await screen.findByText(/This order was not paid, so its places/)).toBeTruthy();
    });
  });
});
