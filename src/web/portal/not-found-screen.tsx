import { portalPages } from '#contract/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

export function NotFoundScreen() {
  return (
    <EmptyState
      titleAs="h1"
      icon="anchor"
      title="There is nothing at this address"
      action={<ButtonLink to={portalPages.orders}>My Orders</ButtonLink>}
    >
      The link may be old, or a letter of it got lost on the way.
    </EmptyState>
  );
}
