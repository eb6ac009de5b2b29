import { ticketPages } from '#contract/paths.ts';
import { NothingHere } from '#web/parts/nothing-here.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/stack.tsx';

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
