import { portalPages } from '#contract/paths.ts';
import { NothingHere } from '#web/features/site/nothing-here.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';

export function NotFoundScreen() {
  return <NothingHere action={<ButtonLink to={portalPages.orders}>My Orders</ButtonLink>} />;
}
