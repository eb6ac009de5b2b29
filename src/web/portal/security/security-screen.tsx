import { useQuery } from '@tanstack/react-query';
import { PageHeader } from '#web/ui/page.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { AuthenticatorSection } from './authenticator-section.tsx';
import { DevicesCard } from './devices-card.tsx';
import { EventsCard } from './events-card.tsx';
import { LoadedCard } from './loaded-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordSection } from './password-section.tsx';
import { overviewQuery } from './queries.ts';
import { RecoveryCodesSection } from './recovery-codes-section.tsx';
import { TwoStepSection } from './two-step-section.tsx';

export function SecurityScreen() {
  const overview = useQuery(overviewQuery);
  return (
    <>
      <PageHeader title="Password & Security" intro="How you get into your account, and who else is in it." />
      <Stack gap="lg">
        <LoadedCard title="Password" what="how you sign in" query={overview}>
          {(data) => <PasswordSection overview={data} />}
        </LoadedCard>
        <PasskeysCard />
        <LoadedCard title="Authenticator app" what="your authenticator" query={overview}>
          {(data) => <AuthenticatorSection overview={data} />}
        </LoadedCard>
        <LoadedCard title="Two-step sign-in" what="your settings" query={overview}>
          {(data) => (
            <Stack gap="lg">
              <TwoStepSection overview={data} />
              <RecoveryCodesSection overview={data} />
            </Stack>
          )}
        </LoadedCard>
        <DevicesCard />
        <EventsCard />
      </Stack>
    </>
  );
}
