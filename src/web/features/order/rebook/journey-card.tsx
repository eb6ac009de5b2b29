import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { localDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import type { JourneyOptions, Leg, Order, OrderOptions } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { LegList } from '../leg-list.tsx';
import {
  describeDeadline,
  describeOpenTicket,
  describeProtection,
  nameChoice,
  nameTravel,
} from './choice-texts.ts';
import { ConfirmMove } from './confirm-move.tsx';
import { JourneysByDay } from './journeys-by-day.tsx';
import { useOpenTicket, useRebooking } from './use-rebooking.ts';

type JourneyCardProps = {
  order: Order;
  queryKey: QueryKey;
  options: OrderOptions;
  journey: JourneyOptions;
  onRefund: (ticketIds: string[]) => void;
};

/** One journey of an order that does not run as bought: the protected sailing, others, an open ticket, and the refund. */
export function JourneyCard({ order, queryKey, options, journey, onRefund }: JourneyCardProps) {
  const choice = { order, queryKey, journey, version: options.version };
  const rebooking = useRebooking(choice);
  const openTicket = useOpenTicket(choice);
  const { protected: protectedJourney, others, refund, status } = journey;
  const [asked, setAsked] = useState<readonly Leg[] | null>(null);
  const isRunning = (journey: readonly Leg[]) => rebooking.input === journey;
  const tickets = order.tickets.filter(
    (ticket) => journey.booked.some(({ leg }) => leg === ticket.leg) && ticket.status === 'issued',
  );
  return (
    <Card title={nameChoice(journey)} tone={status === 'open' ? 'highlight' : 'plain'}>
      {asked && (
        <ConfirmMove
          journey={asked}
          onConfirm={() => {
            setAsked(null);
            rebooking.run(asked);
          }}
          onClose={() => setAsked(null)}
        />
      )}
      <Stack>
        <Problem text={rebooking.problem ?? openTicket.problem} />
        <p>{describeProtection(journey)}</p>
        {protectedJourney && (
          <>
            <LegList legs={protectedJourney.journey} />
            <Button
              block
              size="large"
              needsConnection
              isPending={isRunning(protectedJourney.journey)}
              pendingText={t('Moving your tickets…')}
              onClick={() => setAsked(protectedJourney.journey)}
            >
              {nameTravel(protectedJourney.journey, localDay(journey.booked[0]?.departsLocal ?? ''))}
            </Button>
          </>
        )}
        {(others.length > 0 || status === 'open_ticket') && (
          <Disclosure summary={t('Other sailings')} open={protectedJourney === null}>
            <JourneysByDay orderId={order.id} journey={journey} isRunning={isRunning} onTake={setAsked} />
          </Disclosure>
        )}
        {journey.openTicket && (
          <>
            <Button
              block
              variant="secondary"
              needsConnection
              isPending={openTicket.isPending}
              pendingText={t('Keeping an open ticket…')}
              onClick={() => openTicket.run()}
            >
              {t('Keep an open ticket')}
            </Button>
            <p className="muted">{describeOpenTicket(journey)}</p>
          </>
        )}
        <Button
          block
          variant="secondary"
          needsConnection
          onClick={() => onRefund(tickets.map(({ id }) => id))}
        >
          {t('Get a full refund ({amount})', { amount: formatMoney(refund, options.currency) })}
        </Button>
        <p className="muted">
          {describeDeadline(journey)}
          {options.laterSameDay &&
            ` ${t('Your fare also lets you take a later boat on the same day. Ask at the ticket booth whether there is room.')}`}
        </p>
      </Stack>
    </Card>
  );
}
