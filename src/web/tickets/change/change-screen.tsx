import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { explainNoChange } from '#web/features/order/actions/rules-now.ts';
import { OrderName } from '#web/features/order/order-title.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import type { Catalogue, Order } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { catalogueQuery, orderQuery } from '#web/platform/query/queries.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Loading } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { openPurchase, PurchaseContext, storePurchase, useDraft } from '../purchase.ts';
import { StepHeading, StepLayout, StepMain } from '../step-layout.tsx';
import { confirmationPath } from '../steps.ts';
import { useToday } from '../use-hydrated.ts';
import { listChoices } from './changeable-journeys.ts';
import { ChooseChange } from './choose-change.tsx';
import { PayChange } from './pay-change.tsx';
import { unpaidChangeQuery } from './queries.ts';
import { UnpaidChangeCard } from './unpaid-change.tsx';

/** Changes a paid order: one of its journeys, both, or an added return. What was chosen survives a reload, as in a purchase. */
export function ChangeScreen() {
  const { id = '' } = useParams();
  return <ChangeOfOrder key={id} orderId={id} />;
}

function ChangeOfOrder({ orderId }: { orderId: string }) {
  const [purchase] = useState(() => openPurchase(`change:${orderId}`));
  useEffect(() => storePurchase(purchase), [purchase]);
  const order = useQuery({ ...orderQuery(orderId), refetchOnMount: 'always' });
  const catalogue = useQuery(catalogueQuery());
  const today = useToday(catalogue.data?.ports[0]?.timeZone);
  return (
    <PurchaseContext value={purchase}>
      <StepLayout>
        <StepHeading intro={order.data && <OrderName reference={order.data.reference} />}>
          {t('Change your order')}
        </StepHeading>
        {order.data && catalogue.data ? (
          <Steps order={order.data} catalogue={catalogue.data} today={today} />
        ) : order.isError ? (
          <LoadProblem title={t('Your order could not be loaded')} query={order} />
        ) : catalogue.isError ? (
          <LoadProblem title={t('The timetable could not be loaded')} query={catalogue} />
        ) : (
          <LoadingOrder />
        )}
      </StepLayout>
    </PurchaseContext>
  );
}

function LoadingOrder() {
  return <Loading text={t('Loading your order…')} height="4rem" lines={5} />;
}

type StepsProps = { order: Order; catalogue: Catalogue; today: string };

function Steps({ order, ...props }: StepsProps) {
  const { change } = useDraft();
  if (change !== null) return <PayChange order={order} change={change} />;
  if (order.needsProof === 'sign_in') return <SignInFirst order={order} />;
  return <Choose order={order} {...props} />;
}

function Choose({ order, catalogue, today }: StepsProps) {
  const unpaid = useQuery(unpaidChangeQuery(order.id));
  if (unpaid.isPending) return <LoadingOrder />;
  if (unpaid.isError) return <LoadProblem title={t('Your order could not be loaded')} query={unpaid} />;
  const { change } = unpaid.data;
  if (change?.expiresAt) {
    return <UnpaidChangeCard order={order} change={{ ...change, expiresAt: change.expiresAt }} />;
  }
  const choices = listChoices(order, serverNow());
  const refusal = explainNoChange(order, serverNow());
  if (refusal !== null || choices.length === 0) return <NothingToChange order={order} refusal={refusal} />;
  return (
    <StepMain>
      <ChooseChange order={order} catalogue={catalogue} today={today} choices={choices} />
    </StepMain>
  );
}

/** For a reader who has the link of an order that belongs to an account. */
function SignInFirst({ order }: { order: Order }) {
  const page = `${pageConfig().origins.portal}${portalPages.orders}?order=${order.reference}`;
  return (
    <Notice type="message" action={<ButtonLink to={page}>{t('Open in My Orders')}</ButtonLink>}>
      {t('This order belongs to an account. Sign in to that account to change it.')}
    </Notice>
  );
}

function NothingToChange({ order, refusal }: { order: Order; refusal: string | null }) {
  return (
    <Notice
      type="message"
      action={<ButtonLink to={confirmationPath(order.id)}>{t('Open your order')}</ButtonLink>}
    >
      {refusal ?? t('This order has no tickets that can be changed here.')}
    </Notice>
  );
}
