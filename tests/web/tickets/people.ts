import type { Customer } from '#web/platform/api/types.ts';

export function customerOf(over: Partial<Customer> = {}): Customer {
  return {
    id: 'cus_1',
    email: '',
    name: '',
    phone: '',
    pendingEmail: '',
    mfaRequired: false,
    betaTester: false,
    ...over,
  };
}
