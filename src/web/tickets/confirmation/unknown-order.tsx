import { ticketPages } from '#contract/paths.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';

export function UnknownOrder() {
  return (
    <EmptyState
      titleAs="h1"
      icon="ticket"
      title="We could not find this order"
      action={
        <ButtonLink to={`${ticketPages.home}?find=1`} variant="secondary">
          Find my tickets
        </ButtonLink>
      }
    >
      Check that the link is complete, or have us email it to you again.
    </EmptyState>
  );
}
