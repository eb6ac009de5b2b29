import type { Departures } from '#contract/departures/schemas.ts';
import { matchesPath } from '#contract/pages.ts';
import { ticketPages } from '#contract/paths.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { findDepartures } from '../departures/list-departures.ts';
import { type Asset, sendPrivate } from './assets.ts';
import { DEPARTURES_DATA, DEPARTURES_LIST, embed } from './page.ts';

/** After this the page is sent without the list. */
const WAIT_MS = 250;
/** Limits database load, so that many page loads do not delay purchases. */
const MAX_CONCURRENT = 8;

/** Whether a path of the ticket host shows the departures of a port. */
export function isDeparturesPage(pathname: string): boolean {
  return matchesPath(ticketPages.portDepartures, pathname);
}

type SendDeparturesPage = (
  request: Request,
  page: { asset: Pick<Asset, 'plain'>; headers: Record<string, string> },
) => Promise<Response>;

/**
 * Creates the function that adds today's departures to the page of a port, so that it can be read after one round trip
 * and by search engines. They are omitted for an unknown port, on a screen at a terminal, and if the database is slow,
 * busy or unavailable.
 */
export function createDeparturePages(
  context: Pick<Context, 'db' | 'clock' | 'log'>,
  render: (list: Departures) => Promise<string>,
): SendDeparturesPage {
  let running = 0;

  async function find(code: string): Promise<{ list: Departures; markup: string } | null> {
    running += 1;
    try {
      const list = await findDepartures(context, { port: code });
      return list && { list, markup: await render(list) };
    } catch (error) {
      context.log.error('departures of a page failed', describeError(error));
      return null;
    } finally {
      running -= 1;
    }
  }

  return async (request, { asset, headers }) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, , code = ''] = pathname.split('/');
    const isShown = running < MAX_CONCURRENT && !searchParams.has('display');
    const found = isShown ? await Promise.race([find(code), wait(WAIT_MS)]) : null;
    const html = new TextDecoder()
      .decode(asset.plain)
      .replace(DEPARTURES_DATA, () => (found ? embed('page-departures', found.list) : ''))
      .replace(DEPARTURES_LIST, () => found?.markup ?? '');
    return sendPrivate(request, html, { ...headers, 'Cache-Control': 'no-cache' });
  };
}

function wait(milliseconds: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, null).unref());
}
