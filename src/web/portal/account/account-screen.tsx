import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Grid } from '#web/ui/layout/stack.tsx';
import { CardsSkeleton } from '../parts/cards-skeleton.tsx';
import { usePreloadStepUp } from '../step-up/use-step-up.ts';
import { DetailsCard } from './details-card.tsx';
import { EmailCard } from './email-card.tsx';
import { PrimaryCardCard } from './primary-card-card.tsx';
import { useLoadedProfile } from './use-loaded-profile.ts';
import { YourDataCard } from './your-data-card.tsx';

export function AccountScreen() {
  usePreloadStepUp();
  const { customer, loaded, hasFailed, isLoading, retry } = useLoadedProfile();
  return (
    <>
      <PageHeader title="My Account" />
      {loaded ? (
        <Grid gap="lg">
          <DetailsCard customer={customer} />
          <EmailCard customer={customer} />
          <PrimaryCardCard />
          <YourDataCard />
        </Grid>
      ) : hasFailed ? (
        <Notice
          type="alert"
          role="alert"
          title="Your details could not be loaded"
          action={
            <Button variant="secondary" isPending={isLoading} pendingText="Trying…" onClick={retry}>
              Try again
            </Button>
          }
        />
      ) : (
        <CardsSkeleton label="Loading your details…" heights={CARD_HEIGHTS} />
      )}
    </>
  );
}

/** Approximate heights of the loaded cards: details, email, payment, the customer's data. */
const CARD_HEIGHTS = ['16rem', '7rem', '7rem', '14rem'];
