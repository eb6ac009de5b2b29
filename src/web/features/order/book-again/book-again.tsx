import { t } from '#web/language/texts.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { ButtonLink, type ButtonLinkProps } from '#web/ui/form/button.tsx';
import { type BookedTrip, bookAgainPath } from './book-again-path.ts';

type BookAgainProps = Omit<ButtonLinkProps, 'to' | 'children'> & { order: BookedTrip };

/** Opens the purchase with the order's route and party, where the date is chosen. Nothing for an order without a party. */
export function BookAgain({ order, ...link }: BookAgainProps) {
  const path = bookAgainPath(order);
  if (path === null) return null;
  return (
    <ButtonLink {...link} to={pageConfig().origins.tickets + path}>
      {t('Book again')}
    </ButtonLink>
  );
}
