import { useEffect, useId, useState } from 'react';
import { Link } from 'react-router';
import { fillPath, portalPages } from '#contract/paths.ts';
import { freezeTripCard, unfreezeTripCard } from '#contract/trip-cards/endpoints.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { formatDate } from '#web/features/site/timestamp.tsx';
import { useGateView } from '#web/features/ticket/gate/use-gate-view.ts';
import { formatOnCard } from '#web/features/trip-card/card-amount.ts';
import { CardBalance } from '#web/features/trip-card/card-balance.tsx';
import { rich } from '#web/language/rich.ts';
import { hidden } from '#web/language/tags.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { PassCard, TripCard } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Menu, type MenuItem } from '#web/ui/popup/menu.tsx';
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
import styles from './trip-card-view.module.css';
import { useCardAction } from './use-card-action.ts';

type TripCardViewProps = {
  card: TripCard;
  color: number | undefined;
  isFresh: boolean;
  now: number;
  canTransfer: boolean;
  onOpen: (kind: CardDialogKind) => void;
};

export function TripCardView({ card, color, isFresh, now, canTransfer, onOpen }: TripCardViewProps) {
  const titleId = useId();
  const { linkTo } = useGateView();
  const params = { id: card.id };
  const freeze = useCardAction(
    () => request(freezeTripCard, { params }),
    () => t('{card} is frozen. Unfreeze it to pay with it again.', { card: cardTitle(card) }),
  );
  const unfreeze = useCardAction(
    () => request(unfreezeTripCard, { params }),
    () => t('{card} can be used again.', { card: cardTitle(card) }),
  );
  const isActive = card.status === 'active';
  const canShow = canShowCode(card);
  // The main action of an empty card is to top it up.
  const canFill = isActive && may(card, 'top-up') && (card.unit !== 'trips' || isOwn(card));
  const isEmpty = card.available <= 0 && canFill;
  const showCode = canShow && (
    <ButtonLink variant={isEmpty ? 'secondary' : 'primary'} {...linkTo(card.id)}>
      {rich('Show code<hidden> of {card}</hidden>', { hidden, card: cardTitle(card) })}
    </ButtonLink>
  );
  const { label, tone, icon } = findBadge(card, now);
  return (
    <Card as="article" id={cardElementId(card.id)} tabIndex={-1} aria-labelledby={titleId}>
      <div className={styles.face} data-color={color}>
        <Cluster justify="between">
          <h2 id={titleId} className={styles.title}>
            {cardTitle(card)}
          </h2>
          <Badge tone={tone} icon={icon}>
            {t(label)}
          </Badge>
        </Cluster>
        {hasOwnName(card) && <p>{t('Card ending {digits}', { digits: card.lastFour })}</p>}
        <CardBalance card={card} now={now} isListed />
      </div>
      <Stack gap="sm">
        {isFresh && isOwn(card) && findNextAutoTopUp(card) === 'now' && (
          <p data-paint="">{t(AUTO_TOP_UP_PENDING)}</p>
        )}
        <CardNotes card={card} />
        {card.unit === 'trips' && <PassEnd card={card} now={now} />}
        {card.status === 'frozen' && (
          <Notice
            type="warning"
            title={t('This card is frozen')}
            action={
              isOwn(card) && (
                <Button
                  size="small"
                  needsConnection
                  isPending={unfreeze.isPending}
                  pendingText={t('Unfreezing…')}
                  onClick={() => unfreeze.run()}
                >
                  {t('Unfreeze')}
                </Button>
              )
            }
          >
            {t('You can’t pay with it, top it up or move money from it.')}{' '}
            {t(isOwn(card) ? 'Your balance is safe.' : 'Its owner can unfreeze it.')}
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
              aria-label={t(card.unit === 'trips' ? 'Buy {card} again' : 'Top up {card}', {
                card: cardTitle(card),
              })}
            >
              {t(card.unit === 'trips' ? 'Buy again' : 'Top up')}
            </ButtonLink>
          )}
          {isEmpty && showCode}
        </Cluster>
        {may(card, 'view') && (
          <Cluster justify="between">
            <HistoryLinks card={card} />
            <Menu
              label={t('More')}
              accessibleLabel={t('More for {card}', { card: cardTitle(card) })}
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
  if (role !== 'owner') return <p>{t(SHARED_WITH_YOU_TEXTS[role])}</p>;
  const notes: string[] = [];
  if (lowBalanceAt !== null)
    notes.push(t('We email you when it falls below {amount}.', { amount: formatOnCard(lowBalanceAt, card) }));
  if (sharedWith.length > 0) {
    notes.push(
      t('Shared with {count, plural, one {# person} other {# people}}.', { count: sharedWith.length }),
    );
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
  const statement = item('statement', t('Statement'), 'download');
  if (!isOwn(card)) return [statement];
  const isActive = card.status === 'active';
  return [
    ...(isActive && canTransfer && card.available > 0 ? [item('transfer', t('Move money'), 'swap')] : []),
    item('share', t('Share'), 'person'),
    item('low-balance', t('Low-balance alert'), 'mail'),
    item('rename', t('Rename'), 'trip-card'),
    statement,
    ...(isActive ? [action('freeze', t('Freeze'), 'shield', onFreeze)] : []),
    { ...item('lost', t('Report lost'), 'warning'), isDanger: true },
  ];
}

export function HistoryLinks({ card }: { card: TripCard }) {
  const named = { hidden, card: cardTitle(card) };
  return (
    <Cluster gap="md">
      <Link to={fillPath(portalPages.tripCardBalance, { id: card.id })}>
        {rich('Balance history<hidden> of {card}</hidden>', named)}
      </Link>
      <Link to={fillPath(portalPages.tripCardTopUps, { id: card.id })}>
        {rich(
          card.unit === 'trips'
            ? 'Purchases<hidden> of {card}</hidden>'
            : 'Top-ups<hidden> of {card}</hidden>',
          named,
        )}
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
      {t(isExpired(card, now) ? 'Expired on {date}.' : 'Travel by {date}.', {
        date: formatDate(`${card.validUntil}T12:00:00`),
      })}
    </p>
  );
}
