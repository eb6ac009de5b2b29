import { useEffect, useId, useState } from 'react';
import { Link } from 'react-router';
import { fillPath, portalPages } from '#contract/paths.ts';
import { freezeTripCard, unfreezeTripCard } from '#contract/trip-cards/endpoints.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { useGateView } from '#web/features/ticket/gate/use-gate-view.ts';
import {
  AUTO_TOP_UP_PENDING,
  canShowCode,
  cardTitle,
  findNextAutoTopUp,
  isOwn,
  may,
} from '#web/features/trip-card/trip-card.ts';
import { TripCardFace, TripCardNotes } from '#web/features/trip-card/trip-card-face.tsx';
import { rich } from '#web/language/rich.ts';
import { hidden } from '#web/language/tags.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Menu, type MenuItem } from '#web/ui/popup/menu.tsx';
import type { CardDialogKind } from './card-dialogs.tsx';
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
  return (
    <Card as="article" id={cardElementId(card.id)} tabIndex={-1} aria-labelledby={titleId}>
      <TripCardFace {...{ card, now, color, titleId }} />
      <Stack gap="sm">
        {isFresh && isOwn(card) && findNextAutoTopUp(card) === 'now' && (
          <p data-paint="">{t(AUTO_TOP_UP_PENDING)}</p>
        )}
        <TripCardNotes
          card={card}
          now={now}
          unfreeze={
            <Button
              size="small"
              needsConnection
              isPending={unfreeze.isPending}
              pendingText={t('Unfreezing…')}
              onClick={() => unfreeze.run()}
            >
              {t('Unfreeze')}
            </Button>
          }
        />
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
