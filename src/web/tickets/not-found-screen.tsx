import { ticketPages } from '#contract/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Cluster } from '#web/ui/stack.tsx';

export function NotFoundScreen() {
  return (
    <EmptyState
      titleAs="h1"
      icon="anchor"
      title="There is nothing at this address"
      action={
        <Cluster justify="center">
          <ButtonLink to={ticketPages.home}>Buy tickets</ButtonLink>
          <ButtonLink variant="secondary" to={`${ticketPages.home}?find=1`}>
            Find my tickets
          </ButtonLink>
        </Cluster>
      }
    >
      The link may be old, or a letter of it got lost on the way.
    </EmptyState>
  );
}
