import { queryOptions } from '@tanstack/react-query';
import { getStaffCustomer } from '#contract/desk/customers/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: ['staff-customer', id] as const,
    queryFn: ({ signal }) => request(getStaffCustomer, { params: { id }, signal }),
  });
