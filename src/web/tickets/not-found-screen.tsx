import { ticketPages } from '#contract/paths.ts';
import { NothingHere } from '#web/features/site/nothing-here.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';

export function NotFoundScreen() {
  return (
    <NothingHere
      action={
        <Cluster justify="center">
          <ButtonLink to={ticketPages.home}>Buy tickets</ButtonLink>
          <ButtonLink variant="secondary" to={`${ticketPages.home}?find=1`}>
            Find my tickets
          </ButtonLink>
        </Cluster>
      }
    />
  );
}
