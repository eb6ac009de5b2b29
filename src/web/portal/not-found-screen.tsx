import { portalPages } from '#contract/paths.ts';
import { NothingHere } from '#web/parts/nothing-here.tsx';
import { ButtonLink } from '#web/ui/button.tsx';

export function NotFoundScreen() {
  return <NothingHere action={<ButtonLink to={portalPages.orders}>My Orders</ButtonLink>} />;
}
