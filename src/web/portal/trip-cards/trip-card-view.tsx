import { useEffect, useId, useState } from 'react';
import { Link } from 'react-router';
import { fillPath, portalPages } from '#contract/paths.ts';
import { freezeTripCard, unfreezeTripCard } from '#contract/trip-cards/endpoints.ts';
import { useGateView } from '#web/features/ticket/gate/use-gate-view.ts';
import { formatOnCard } from '#web/features/trip-card/card-amount.ts';
import { CardBalance } from '#web/features/trip-card/card-balance.tsx';
import { request } from '#web/platform/api/request.ts';
import type { PassCard, TripCard } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Menu, type MenuItem } from '#web/ui/popup/menu.tsx';
import { Problem } from '../parts/problem.tsx';
import { formatDate } from '../parts/timestamp.tsx';
import type { CardDialogKind } from './card-dialogs.tsx';
import {
  AUTO_TOP_UP_PENDING,
  canShowCode,
  cardTitle,
  findBadge,
  findNextAutoTopUp,
  hasOwnName,
  isExpired,
  isOwn,
  may,
  SHARED_WITH_YOU_TEXTS,
} from './trip-card.ts';
import { useCardAction } from './use-card-action.ts';

type TripCardViewProps = {
  card: TripCard;
  isFresh: boolean;
  now: number;
  canTransfer: boolean;
  onOpen: (kind: CardDialogKind) => void;
};

export function TripCardView({ card, isFresh, now, canTransfer, onOpen }: TripCardViewProps) {
  const titleId = useId();
  const { linkTo } = useGateView();
  const params = { id: card.id };
  const freeze = useCardAction(
    () => request(freezeTripCard, { params }),
    () => `${cardTitle(card)} is frozen. Unfreeze it to pay with it again.`,
  );
  const unfreeze = useCardAction(
    () => request(unfreezeTripCard, { params }),
    () => `${cardTitle(card)} can be used again.`,
  );
  const isActive = card.status === 'active';
  const canShow = canShowCode(card);
  // The main action of an empty card is to top it up.
  const canFill = isActive && may(card, 'top-up') && (card.unit !== 'trips' || isOwn(card));
  const isEmpty = card.available <= 0 && canFill;
  const showCode = canShow && (
    <ButtonLink variant={isEmpty ? 'secondary' : 'primary'} {...linkTo(card.id)}>
      Show code
      <span className="visually-hidden"> of {cardTitle(card)}</span>
    </ButtonLink>
  );
  const { label, tone } = findBadge(card, now);
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
        <CardBalance card={card} now={now} />
        {isFresh && isOwn(card) && findNextAutoTopUp(card) === 'now' && (
          <p data-paint="">{AUTO_TOP_UP_PENDING}</p>
        )}
        <CardNotes card={card} />
        {card.unit === 'trips' && <PassEnd card={card} now={now} />}
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
                  onClick={() => unfreeze.run()}
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
          {canFill && (
            <ButtonLink
              variant={isEmpty || !canShow ? 'primary' : 'secondary'}
              icon="plus"
              to={fillPath(portalPages.tripCardTopUps, { id: card.id })}
              aria-label={
                card.unit === 'trips' ? `Buy ${cardTitle(card)} again` : `Top up ${cardTitle(card)}`
              }
            >
              {card.unit === 'trips' ? 'Buy again' : 'Top up'}
            </ButtonLink>
          )}
          {isEmpty && showCode}
        </Cluster>
        {may(card, 'view') && (
          <Cluster justify="between">
            <HistoryLinks card={card} />
            <Menu
              label="More"
              accessibleLabel={`More for ${cardTitle(card)}`}
              icon="more"
              items={listMenuItems({ card, canTransfer, onOpen, onFreeze: () => freeze.run() })}
            />
          </Cluster>
        )}
      </Stack>
    </Card>
  );
}

function CardNotes({ card }: { card: TripCard }) {
  const { role, lowBalanceAt, sharedWith } = card;
  if (role !== 'owner') return <p>{SHARED_WITH_YOU_TEXTS[role]}</p>;
  const notes: string[] = [];
  if (lowBalanceAt !== null)
    notes.push(`We email you when it falls below ${formatOnCard(lowBalanceAt, card)}.`);
  if (sharedWith.length > 0) {
    notes.push(`Shared with ${sharedWith.length === 1 ? '1 person' : `${sharedWith.length} people`}.`);
  }
  return notes.length === 0 ? null : <p>{notes.join(' ')}</p>;
}

type MenuOptions = Pick<TripCardViewProps, 'card' | 'canTransfer' | 'onOpen'> & { onFreeze: () => void };

function listMenuItems({ card, canTransfer, onOpen, onFreeze }: MenuOptions): MenuItem[] {
  const action = (id: string, label: string, icon: MenuItem['icon'], onSelect: () => void): MenuItem => ({
    id,
    label,
    icon,
    needsConnection: true,
    onSelect,
  });
  const item = (kind: CardDialogKind, label: string, icon: MenuItem['icon']) =>
    action(kind, label, icon, () => onOpen(kind));
  const statement = item('statement', 'Statement', 'download');
  if (!isOwn(card)) return [statement];
  const isActive = card.status === 'active';
  return [
    ...(isActive && canTransfer && card.available > 0 ? [item('transfer', 'Move money', 'swap')] : []),
    item('share', 'Share', 'person'),
    item('low-balance', 'Low-balance alert', 'mail'),
    item('rename', 'Rename', 'trip-card'),
    statement,
    ...(isActive ? [action('freeze', 'Freeze', 'shield', onFreeze)] : []),
    { ...item('lost', 'Report lost', 'warning'), isDanger: true },
  ];
}

export function HistoryLinks({ card }: { card: TripCard }) {
  return (
    <Cluster gap="md">
      <Link to={fillPath(portalPages.tripCardBalance, { id: card.id })}>
        Balance history<span className="visually-hidden"> of {cardTitle(card)}</span>
      </Link>
      <Link to={fillPath(portalPages.tripCardTopUps, { id: card.id })}>
        {card.unit === 'trips' ? 'Purchases' : 'Top-ups'}
        <span className="visually-hidden"> of {cardTitle(card)}</span>
      </Link>
    </Cluster>
  );
}

function cardElementId(id: string): string {
  return `trip-card-${id}`;
}

/** Returns a function that moves the focus to a new card once it is on screen. */
export function useFocusOnCard(cards: readonly TripCard[]): (id: string) => void {
  const [cardToFocus, setCardToFocus] = useState<string | null>(null);
  useEffect(() => {
    if (cardToFocus === null || !cards.some(({ id }) => id === cardToFocus)) return;
    setCardToFocus(null);
    document.getElementById(cardElementId(cardToFocus))?.focus();
  }, [cards, cardToFocus]);
  return setCardToFocus;
}

/** Until when a pass is valid; nothing for one without an end. `now` in milliseconds. */
function PassEnd({ card, now }: { card: PassCard; now: number }) {
  if (card.validUntil === null) return null;
  return (
    <p>
      {/* Without a zone, so that this device shows the operator's day. */}
      {isExpired(card, now) ? 'Expired on' : 'Travel by'} {formatDate(`${card.validUntil}T12:00:00`)}.
    </p>
  );
}
