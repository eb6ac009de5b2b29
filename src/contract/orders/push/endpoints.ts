import { endpoint } from '#contract/endpoint.ts';

export const getPushKey = endpoint('GET', '/api/push_key', 'none');
export const getPushSubscription = endpoint(
  'GET',
  '/api/orders/{id}/push_subscriptions/{endpoint_hash}',
  'optional',
);
export const subscribeToOrder = endpoint(
  'PUT',
  '/api/orders/{id}/push_subscriptions/{endpoint_hash}',
  'optional',
);
export const unsubscribeFromOrder = endpoint(
  'DELETE',
  '/api/orders/{id}/push_subscriptions/{endpoint_hash}',
  'optional',
);
export const movePushSubscriptions = endpoint('POST', '/api/push_subscriptions/move', 'none');
export const deletePushSubscriptions = endpoint('POST', '/api/push_subscriptions/delete', 'none');
export const listOrderMessages = endpoint('GET', '/api/orders/{id}/messages', 'optional');
