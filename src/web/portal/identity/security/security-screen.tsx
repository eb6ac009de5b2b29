import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { t } from '#web/language/texts.ts';
import { CardsSkeleton } from '#web/portal/parts/cards-skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Grid, Stack } from '#web/ui/layout/stack.tsx';
import { DevicesCard } from './devices-card.tsx';
import { EventsCard } from './events-card.tsx';
import { LoadedCard } from './loaded-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordSection } from './password-section.tsx';
import { eventsQuery, overviewQuery, passkeysQuery, sessionsQuery } from './queries.ts';
import { AuthenticatorSection, RecoveryCodesSection, TwoStepSection } from './two-step-sections.tsx';

export function SecurityScreen() {
  const overview = useQuery(overviewQuery);
  const passkeys = useQuery(passkeysQuery);
  const sessions = useQuery(sessionsQuery);
  const events = useInfiniteQuery(eventsQuery);
  // Cards fail separately but appear together, so that none moves while being tapped.
  const isLoaded = [overview, passkeys, sessions, events].every(({ isFetched }) => isFetched);
  return (
    <>
      <PageHeader
        title={t('Password & Security')}
        intro={t('How you sign in, and where you’re signed in.')}
      />
      {isLoaded ? (
        <Grid gap="lg">
          <LoadedCard title={t('Password')} problem={t('We could not load how you sign in')} query={overview}>
            {(data) => <PasswordSection overview={data} />}
          </LoadedCard>
          <PasskeysCard query={passkeys} />
          <LoadedCard
            title={t('Authenticator app')}
            problem={t('We could not load your authenticator')}
            query={overview}
          >
            {(data) => <AuthenticatorSection overview={data} />}
          </LoadedCard>
          <LoadedCard
            title={t('Two-step sign-in')}
            problem={t('We could not load your settings')}
            query={overview}
          >
            {(data) => (
              <Stack gap="lg">
                <TwoStepSection overview={data} />
                <RecoveryCodesSection overview={data} />
              </Stack>
            )}
          </LoadedCard>
          <DevicesCard query={sessions} />
          <EventsCard query={events} />
        </Grid>
      ) : (
        <CardsSkeleton label={t('Loading your security settings…')} heights={CARD_HEIGHTS} />
      )}
    </>
  );
}

/** Approximate heights of the loaded cards. */
const CARD_HEIGHTS = ['6rem', '9rem', '8rem', '7rem', '7rem', '14rem'];
