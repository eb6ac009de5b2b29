import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Navigate, Outlet } from 'react-router';
import { staffPages } from '#contract/paths.ts';
import { endStaffSession } from '#contract/staff/endpoints.ts';
import { nameRole } from '#sentences/staff.ts';
import { LanguageChoice } from '#web/features/site/language-choice.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffSession } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { AppShell } from '#web/ui/layout/page.tsx';
import { readSetup } from './gate/device/gate-setup.ts';
import { PaletteHost } from './palette/palette-host.tsx';
import { SignInScreen } from './session/sign-in-screen.tsx';
import {
  SignedInStaff,
  setStaffSession,
  useSignOutWhenEnded,
  useStaffSession,
} from './session/staff-session.ts';
import { StepUpHost } from './session/step-up-host.tsx';
import styles from './staff-frame.module.css';
import { StaffNav } from './staff-nav.tsx';

/** What stands around every screen: the operator, who is signed in, and where they can go. */
export function StaffFrame() {
  const { brand } = useSettings();
  const staff = useStaffSession().data?.staff;
  useSignOutWhenEnded();
  return (
    <AppShell
      brand={brand.name}
      logo={brand.logo_url ?? undefined}
      homeTo={staffPages.home}
      nav={staff && <StaffNav role={staff.role} />}
      actions={
        <>
          <LanguageChoice />
          {staff && <Person staff={staff} />}
        </>
      }
    >
      <Outlet />
      <StepUpHost />
    </AppShell>
  );
}

/** Around the screens of signed-in staff, in whose place everyone else signs in. */
export function SignedInOnly() {
  const query = useStaffSession();
  const { data } = query;
  // A device at a gate starts there without a connection, whatever its first page is.
  if (data === undefined && query.isError && readSetup() !== null) {
    return <Navigate to={staffPages.gate} replace />;
  }
  if (data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not check who is signed in')} loading={t('Loading…')}>
        <Skeleton height="12rem" />
      </QueryFallback>
    );
  }
  if (data === null) return <SignInScreen />;
  return (
    <SignedInStaff value={data.staff}>
      <Outlet />
      <PaletteHost />
    </SignedInStaff>
  );
}

function Person({ staff: { name, role } }: { staff: StaffSession['staff'] }) {
  const client = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => request(endStaffSession),
    // Without a connection the cookie stays, so the person stays signed in and is told.
    onSuccess: () => setStaffSession(client, null),
  });
  return (
    <>
      <span className={styles.person}>
        <strong>{name}</strong>
        <span>{nameRole(t, role)}</span>
      </span>
      <span>
        <Button
          variant="secondary"
          icon="sign-out"
          needsConnection
          aria-label={t('Sign out')}
          isPending={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          <span className={styles.label}>{t('Sign out')}</span>
        </Button>
      </span>
    </>
  );
}
