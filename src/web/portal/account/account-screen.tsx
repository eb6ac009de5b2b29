import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { DetailsCard } from './details-card.tsx';
import { EmailCard } from './email-card.tsx';
import { useLoadedProfile } from './use-loaded-profile.ts';
import { YourDataCard } from './your-data-card.tsx';

export function AccountScreen() {
  const { customer, loaded, hasFailed, isLoading, retry } = useLoadedProfile();
  return (
    <>
      <PageHeader title="My Account" />
      {loaded ? (
        <Stack gap="lg">
          <DetailsCard customer={customer} />
          <EmailCard customer={customer} />
          <YourDataCard />
        </Stack>
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
        <AccountSkeleton />
      )}
    </>
  );
}

function AccountSkeleton() {
  return (
    <Stack gap="lg">
      <output className="visually-hidden">Loading your details…</output>
      {CARD_HEIGHTS.map((height, card) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are always these and never move
        <Card key={card} as="div">
          <Stack>
            <Skeleton width="8rem" />
            <Skeleton height={height} />
          </Stack>
        </Card>
      ))}
    </Stack>
  );
}

/** About as high as what comes: details, email, the customer's data. */
const CARD_HEIGHTS = ['16rem', '7rem', '14rem'];
