import { endpoint } from '#contract/endpoint.ts';

export const listOrders = endpoint('GET', '/api/customers/orders', 'session');
export const getCustomerOrder = endpoint('GET', '/api/customers/orders/{id}', 'session');
export const listFavoriteRoutes = endpoint('GET', '/api/customers/favorite_routes', 'session');
