import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { portalPages } from '#contract/paths.ts';
import { CardName, cardName } from '#web/features/payment/card-name.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { loadProfile, profileStore, useProfile } from '#web/platform/account/profile.ts';
import type { PaymentCard } from '#web/platform/api/types.ts';
import { CardsSkeleton } from '#web/portal/parts/cards-skeleton.tsx';
import { SavedPartyCard } from '#web/portal/saved-party/saved-party-card.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Grid, Stack } from '#web/ui/layout/stack.tsx';
import { DetailsCard } from './details-card.tsx';
import { EmailCard } from './email-card.tsx';
import { primaryCardQuery } from './primary-card.ts';
import { YourDataCard } from './your-data-card.tsx';

export function AccountScreen() {
  const { customer, loaded } = useProfile();
  const { hasFailed, isLoading, retry } = useLoadProfile();
  return (
    <>
      <PageHeader title={t('My Account')} />
      {loaded ? (
        <Grid gap="lg">
          <DetailsCard customer={customer} />
          <EmailCard customer={customer} />
          <PrimaryCardCard />
          <SavedPartyCard />
          <YourDataCard />
        </Grid>
      ) : hasFailed ? (
        <Notice
          type="alert"
          role="alert"
          title={t('Your details could not be loaded')}
          action={
            <Button variant="secondary" isPending={isLoading} pendingText={t('Trying…')} onClick={retry}>
              {t('Try again')}
            </Button>
          }
        />
      ) : (
        <CardsSkeleton label={t('Loading your details…')} heights={CARD_HEIGHTS} />
      )}
    </>
  );
}

/** Approximate heights of the loaded cards: details, email, payment, what is saved, the customer's data. */
const CARD_HEIGHTS = ['16rem', '7rem', '7rem', '7rem', '14rem'];

/** Loads the profile, and returns whether that failed. */
function useLoadProfile(): { hasFailed: boolean; isLoading: boolean; retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [endedAttempt, setEndedAttempt] = useState(-1);
  useEffect(() => {
    let isStale = false;
    void loadProfile().then(() => {
      if (!isStale) setEndedAttempt(attempt);
    });
    return () => {
      isStale = true;
    };
  }, [attempt]);
  const hasFailed = endedAttempt >= 0 && !profileStore.get().loaded;
  return { hasFailed, isLoading: endedAttempt < attempt, retry: () => setAttempt(attempt + 1) };
}

/** The card that the customer pays with. */
function PrimaryCardCard() {
  const query = useQuery(primaryCardQuery);
  return (
    <Card title={t('Payment')}>
      <Stack>
        {query.data === undefined ? (
          <QueryFallback
            query={query}
            problem={t('Your card could not be loaded')}
            loading={t('Loading your card…')}
          >
            <Skeleton height="1.75rem" />
          </QueryFallback>
        ) : (
          <PrimaryCard card={query.data} />
        )}
        <ButtonLink variant="secondary" to={portalPages.paymentMethods}>
          {t('Payment Methods')}
        </ButtonLink>
      </Stack>
    </Card>
  );
}

function PrimaryCard({ card }: { card: PaymentCard | null }) {
  if (card === null) return <p>{t('You have no saved cards.')}</p>;
  return (
    <p>
      {rich('You pay with <card>{name}</card>, expires {date}.', {
        card: () => <CardName card={card} />,
        name: cardName(card),
        date: card.expDate,
      })}{' '}
      {card.expiresSoon && (
        <Badge tone="warning" icon="clock">
          {t('Expires soon')}
        </Badge>
      )}
    </p>
  );
}
