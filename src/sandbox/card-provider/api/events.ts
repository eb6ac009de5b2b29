import { readList, readText } from '../parameters.ts';
import { ok, type Route, retrieveRoute } from './call.ts';
import { listObjects, listParameters } from './lists.ts';

export const eventRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/events',
    allowedParameters: [...listParameters, 'type', 'types', 'delivery_success'],
    run(call) {
      const type = readText(call.parameters, 'type');
      const oneOf = { type: readList(call.parameters, 'types') };
      return listObjects(call, 'event', '/v1/events', { type }, { oneOf });
    },
  },
  retrieveRoute('event'),
  {
    method: 'GET',
    path: '/v1/account',
    allowedParameters: [],
    run: async () =>
      ok({
        id: 'acct_sandbox',
        object: 'account',
        charges_enabled: true,
        country: 'NO',
        default_currency: 'eur',
        details_submitted: true,
        payouts_enabled: true,
        settings: { dashboard: { display_name: 'Sandbox', timezone: 'Etc/UTC' } },
        type: 'standard',
      }),
  },
];
