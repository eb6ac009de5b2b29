import { formatTimestamp } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { changePage } from './change-page.ts';
import { isOpenUntil } from './rules-now.ts';

/** That staff keep another boat for the buyer, who pays for it on the page of changes or keeps the order as it is. */
export function ChangeToPay({ order }: { order: Order }) {
  const { changeToPayUntil } = order;
  const now = serverNow();
  if (!isOpenUntil(changeToPayUntil, now)) return null;
  return (
    <Notice
      type="warning"
      title={t('Your new trip is not paid yet')}
      action={
        <ButtonLink variant="secondary" to={changePage(order)}>
          {t('See your new trip')}
        </ButtonLink>
      }
    >
      {t('We keep the places until {time}. Until then your order stays as it is.', {
        time: formatTimestamp(changeToPayUntil, now),
      })}
    </Notice>
  );
}
