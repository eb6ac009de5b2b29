import { staffEndpoint } from '#contract/endpoint.ts';

export const findStoredPerson = staffEndpoint('GET', '/api/staff/privacy/person', 'answer_privacy_requests');
export const exportStoredPerson = staffEndpoint(
  'POST',
  '/api/staff/privacy/exports',
  'answer_privacy_requests',
);
export const eraseStoredPerson = staffEndpoint(
  'POST',
  '/api/staff/privacy/erasures',
  'answer_privacy_requests',
);
export const getPrivacyOverview = staffEndpoint('GET', '/api/staff/privacy', 'answer_privacy_requests');
export const listCustomerViews = staffEndpoint(
  'GET',
  '/api/staff/customers/{id}/views',
  'answer_privacy_requests',
);
