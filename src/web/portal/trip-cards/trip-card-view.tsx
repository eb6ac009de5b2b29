import { useId } from 'react';
import { fillPath, portalPages } from '#contract/paths.ts';
import { freezeTripCard, unfreezeTripCard } from '#contract/trip-cards/endpoints.ts';
import { useGateView } from '#web/features/ticket/gate/use-gate-view.ts';
import { CardBalance } from '#web/features/trip-card/card-balance.tsx';
import { request } from '#web/platform/api/request.ts';

import type { TripCard } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Menu, type MenuItem } from '#web/ui/popup/menu.tsx';
import { Problem } from '../parts/problem.tsx';
import { CardLinks } from './card-links.tsx';
import { fillingOf, ON_ITS_WAY } from './filling.ts';
import { Owed } from './owed.tsx';
import { canShowCode, isOwn, may } from './rights.ts';
import { useCardAction } from './use-card-action.ts';
import { cardElementId } from './use-focus-on-card.ts';
import { cardTitle, hasOwnName, SHARED_WITH_YOU, STATUS_LOOKS } from './words.ts';

type CardDialogKind = 'rename' | 'alert' | 'transfer' | 'share' | 'statement' | 'lost';

type TripCardViewProps = {
  card: TripCard;
  isFresh: boolean;
  now: number;
  /** Whether there is another card to move money to. */
  canMove: boolean;
  onOpen: (kind: CardDialogKind) => void;
};

export function TripCardView({ card, isFresh, now, canMove, onOpen }: TripCardViewProps) {
  const titleId = useId();
  const { linkTo } = useGateView();
  const freeze = useCardAction(({ id }: TripCard) => request(freezeTripCard, { params: { id } }), {
    onDone: (changed) =>
      notify(`${cardTitle(changed)} is frozen. Unfreeze it to pay with it again.`, { type: 'success' }),
  });
  const unfreeze = useCardAction(({ id }: TripCard) => request(unfreezeTripCard, { params: { id } }), {
    onDone: (changed) => notify(`${cardTitle(changed)} can be used again.`, { type: 'success' }),
  });
  const isActive = card.status === 'active';
  const canShow = canShowCode(card);
  // With nothing on the card, the next thing to do is to top it up.
  const isEmpty = card.available <= 0 && isActive && may(card, 'top-up');
  const showCode = canShow && (
    <ButtonLink variant={isEmpty ? 'secondary' : 'primary'} {...linkTo(card.id)}>
      Show code
      <span className="visually-hidden"> of {cardTitle(card)}</span>
    </ButtonLink>
  );
  const { label, tone } = STATUS_LOOKS[card.status];
  return (
    <Card
      as="article"
      id={cardElementId(card.id)}
      tabIndex={-1}
      aria-labelledby={titleId}
      title={<span id={titleId}>{cardTitle(card)}</span>}
      action={<Badge tone={tone}>{label}</Badge>}
    >
      <Stack gap="sm">
        {hasOwnName(card) && <p>Card ending {card.lastFour}</p>}
        <CardBalance
          balance={card.balance}
          held={card.held}
          currency={card.currency}
          asOf={card.asOf}
          now={now}
        />
        <Owed card={card} />
        {isFresh && isOwn(card) && fillingOf(card) === 'now' && <p data-paint="">{ON_ITS_WAY}</p>}
        <Facts card={card} />
        {card.status === 'frozen' && (
          <Notice
            type="warning"
            title="This card is frozen"
            action={
              isOwn(card) && (
                <Button
                  size="small"
                  needsConnection
                  isPending={unfreeze.isPending}
                  pendingText="Unfreezing…"
                  onClick={() => unfreeze.run(card)}
                >
                  Unfreeze
                </Button>
              )
            }
          >
            You can’t pay with it, top it up or move money from it.{' '}
            {isOwn(card) ? 'Your balance is safe.' : 'Its owner can unfreeze it.'}
          </Notice>
        )}
        <Problem text={freeze.problem ?? unfreeze.problem} />
        <Cluster>
          {!isEmpty && showCode}
          {isActive && may(card, 'top-up') && (
            <ButtonLink
              variant={isEmpty || !canShow ? 'primary' : 'secondary'}
              icon="plus"
              to={fillPath(portalPages.tripCardTopUps, { id: card.id })}
              aria-label={`Top up ${cardTitle(card)}`}
            >
              Top up
            </ButtonLink>
          )}
          {isEmpty && showCode}
        </Cluster>
        {may(card, 'view') && (
          <Cluster justify="between">
            <CardLinks card={card} />
            <Menu
              label="More"
              accessibleLabel={`More for ${cardTitle(card)}`}
              icon="more"
              items={menuOf({ card, canMove, onOpen, onFreeze: () => freeze.run(card) })}
            />
          </Cluster>
        )}
      </Stack>
    </Card>
  );
}

function Facts({ card }: { card: TripCard }) {
  const { role, lowBalanceAt, sharedWith, currency } = card;
  if (role !== 'owner') return <p>{SHARED_WITH_YOU[role]}</p>;
  const facts: string[] = [];
  if (lowBalanceAt !== null)
    facts.push(`We email you when it falls below ${formatMoney(lowBalanceAt, currency)}.`);
  if (sharedWith.length > 0) {
    facts.push(`Shared with ${sharedWith.length === 1 ? '1 person' : `${sharedWith.length} people`}.`);
  }
  return facts.length === 0 ? null : <p>{facts.join(' ')}</p>;
}

type MenuOptions = Pick<TripCardViewProps, 'card' | 'canMove' | 'onOpen'> & { onFreeze: () => void };

function menuOf({ card, canMove, onOpen, onFreeze }: MenuOptions): MenuItem[] {
  const item = (kind: CardDialogKind, label: string, icon: MenuItem['icon']): MenuItem => ({
    id: kind,
    label,
    icon,
    needsConnection: true,
    onSelect: () => onOpen(kind),
  });
  const statement = item('statement', 'Statement', 'download');
  if (!isOwn(card)) return [statement];
  const isActive = card.status === 'active';
  return [
    ...(isActive && canMove && card.available > 0 ? [item('transfer', 'Move money', 'swap')] : []),
    item('share', 'Share', 'person'),
    item('alert', 'Low-balance alert', 'mail'),
    item('rename', 'Rename', 'trip-card'),
    statement,
    ...(isActive
      ? [
          {
            id: 'freeze',
            label: 'Freeze',
            icon: 'shield',
            needsConnection: true,
            onSelect: onFreeze,
          } as const,
        ]
      : []),
    { ...item('lost', 'Report lost', 'warning'), isDanger: true },
  ];
}
