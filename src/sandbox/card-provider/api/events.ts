import { readList, readText } from '../parameters.ts';
import { ok, type Route, requireFromPath } from './call.ts';
import { listObjects, listParameters } from './lists.ts';

export const eventRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/events',
    known: [...listParameters, 'type', 'types', 'delivery_success'],
    run(call) {
      const filters = {
        equals: { type: readText(call.parameters, 'type') },
        oneOf: { type: readList(call.parameters, 'types') },
      };
      return listObjects(call, 'event', filters, '/v1/events');
    },
  },
  {
    method: 'GET',
    path: '/v1/events/:id',
    known: [],
    run: async (call) => ok((await requireFromPath(call, 'event')).doc),
  },
  {
    method: 'GET',
    path: '/v1/account',
    known: [],
    run: async () =>
      ok({
        id: 'acct_sandbox',
        object: 'account',
        charges_enabled: true,
        country: 'NO',
        default_currency: 'eur',
        details_submitted: true,
        payouts_enabled: false,
        settings: { dashboard: { display_name: 'Sandbox', timezone: 'Etc/UTC' } },
        type: 'standard',
      }),
  },
];
