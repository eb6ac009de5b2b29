import { queryOptions } from '@tanstack/react-query';
import { getAccountAsCustomer, getOrderAsCustomer } from '#contract/desk/as-customer/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

export const orderAsCustomerQuery = (reference: string) =>
  queryOptions({
    queryKey: ['order-as-customer', reference] as const,
    queryFn: ({ signal }) => request(getOrderAsCustomer, { params: { reference }, signal }),
  });

export const accountAsCustomerQuery = (id: string) =>
  queryOptions({
    queryKey: ['account-as-customer', id] as const,
    queryFn: ({ signal }) => request(getAccountAsCustomer, { params: { id }, signal }),
  });
