import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect } from 'react';
import { STATUS } from '#contract/client-errors.ts';
import { getStaffSession } from '#contract/staff/endpoints.ts';
import { hasPermission, type Permission } from '#contract/staff/permissions.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffSession } from '#web/platform/api/types.ts';
import { readStored, removeStored, writeStored } from '#web/platform/browser-storage.ts';

const SESSION_KEY = ['staff-session'] as const;

/**
 * Who is signed in here, because no script can see the cookie: without it the server is not asked, and without a connection
 * it tells who works at a gate.
 */
const FLAG_KEY = 'staff-signed-in';

/** The session of this browser; null if no one is signed in. */
const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ signal }) => {
    if (readStored(FLAG_KEY) === null) return null;
    return request(getStaffSession, { signal }).catch((failure: unknown) => {
      if (!isSignedOut(failure)) throw failure;
      forgetStaff();
      return null;
    });
  },
  refetchOnWindowFocus: true,
});

export function useStaffSession() {
  return useQuery(sessionQuery);
}

/** The id of the person who is signed in here; null also if they signed in before it was stored. */
export function readSignedInId(): string | null {
  const stored = readStored(FLAG_KEY);
  return stored?.startsWith('stf_') ? stored : null;
}

/** Provided around the screens of signed-in staff. */
export const SignedInStaff = createContext<StaffSession['staff'] | null>(null);

/** The signed-in staff member. */
export function useStaff(): StaffSession['staff'] {
  const staff = use(SignedInStaff);
  if (staff === null) throw new Error('Only screens of signed-in staff may use it.');
  return staff;
}

/** Whether the signed-in staff member may do something. The server decides; screens offer what it allows. */
export function usePermission(permission: Permission): boolean {
  return hasPermission(useStaff().role, permission);
}

/** Shows another person's session, or none, and forgets what the last one saw. */
export function setStaffSession(client: QueryClient, session: StaffSession | null): void {
  if (session === null) forgetStaff();
  else writeStored(FLAG_KEY, session.staff.id);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  client.setQueryData(SESSION_KEY, session);
}

/** Deletes what this browser keeps for the person who was signed in. */
function forgetStaff(): void {
  removeStored(FLAG_KEY);
  void import('../gate/device/saved-gate.ts').then(
    ({ forgetGateList }) => forgetGateList(),
    () => undefined,
  );
}

/** Leads to the sign-in when a call says that the session has ended. */
export function useSignOutWhenEnded(): void {
  const client = useQueryClient();
  useEffect(() => {
    const leave = (failure: unknown) => {
      if (isSignedOut(failure) && client.getQueryData(SESSION_KEY)) setStaffSession(client, null);
    };
    const stops = [
      client.getQueryCache().subscribe(({ type, query }) => type === 'updated' && leave(query.state.error)),
      client
        .getMutationCache()
        .subscribe(({ type, mutation }) => type === 'updated' && leave(mutation?.state.error)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
}

function isSignedOut(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status === STATUS.unauthorized;
}
