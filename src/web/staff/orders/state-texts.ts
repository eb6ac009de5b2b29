import type { OrderNotice } from '#contract/orders/statuses.ts';
import { type Message, message } from '#messages/translate.ts';
import { describeLateness } from '#sentences/crossing-times.ts';
import { expectedDeparture } from '#web/features/order/expected-times.ts';
import { moneyBack, orderStage } from '#web/features/order/order-status.ts';
import { describeTime, findDeparture } from '#web/features/order/rebook/choice-texts.ts';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import type { Leg, Order, StaffOrder } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';

type Choice = StaffOrder['choices'][number];

/** Something unusual about an order, for the clerk. `isOpen`: someone has to act. */
export type OrderState = { id: string; title: string; sentences: string[]; isOpen: boolean };

/** What a clerk has to know about an order: what happened, what the buyer was offered, and what can be done. */
export function listOrderStates(staffOrder: StaffOrder, now: number): OrderState[] {
  const { order, choices } = staffOrder;
  const open = choices.filter(({ deadline }) => Date.parse(deadline) > now);
  const described = open.flatMap(({ booked }) => booked.map(({ leg }) => leg));
  const crossings = order.legs
    .filter((leg) => !described.includes(leg.leg))
    .flatMap((leg) => describeCrossing(leg, order, now));
  return [
    ...describePayment(staffOrder, now),
    ...open.map(describeChoice),
    ...crossings,
    ...(open.length + crossings.length === 0 ? describeAttention(order) : []),
    ...describeLastNotice(staffOrder),
  ];
}

function describeChoice(choice: Choice): OrderState {
  const { direction, status, booked, deadlineLocal, ifUnanswered } = choice;
  const until = describeTime(deadlineLocal, booked[0]);
  const state = { id: `choice ${direction}`, isOpen: true, title: nameChoice(choice) };
  const boats = booked.map(describeBoat);
  if (status === 'moved') {
    return {
      ...state,
      isOpen: false,
      sentences: [...boats, t('The party may choose again until {until}, at no charge.', { until })],
    };
  }
  if (status === 'open_ticket') {
    return {
      ...state,
      sentences: [
        ...boats,
        t('The party may choose a boat until {until}. After that, the tickets are refunded in full.', {
          until,
        }),
        t('Under “Another day or boat” you can choose one for them, at no charge.'),
      ],
    };
  }
  return {
    ...state,
    sentences: [
      ...boats,
      ...describeOffer(choice),
      ifUnanswered === 'refund'
        ? t('The buyer may answer until {until}. Without an answer, the tickets are refunded in full.', {
            until,
          })
        : t('The buyer may answer until {until}. Without an answer, the tickets stay valid.', { until }),
      t('You can choose another boat for them at no charge, or cancel the tickets for a full refund.'),
    ],
  };
}

function nameChoice({ reason, status, booked }: Choice): string {
  const [first] = booked;
  const time = first ? findDeparture(first).time : '';
  if (status === 'moved') return t('The party travels on another boat now, at {time}', { time });
  if (status === 'open_ticket') return t('The party has an open ticket');
  switch (reason) {
    case 'sailing_canceled':
      return t('The {time} boat is canceled', { time });
    case 'no_room':
      return t('The {time} boat may have no room for this party', { time });
    case 'sailing_delayed': {
      const late = booked.find(({ delayMinutes }) => delayMinutes > 0);
      return late ? nameLate(late) : t('The party may miss its second boat');
    }
  }
}

/** The boats on which places are kept; what the buyer may choose without them. */
function describeOffer({ protected: offered }: Choice): string[] {
  if (offered === null) {
    return [t('No boat is held for them. They may choose any boat with enough room, or the full refund.')];
  }
  const { journey, untilLocal } = offered;
  const until = describeTime(untilLocal, journey[0]);
  return [
    [
      t('The buyer was offered the full refund, or this:'),
      ...journey.map(describeBoat),
      t('Its places are held until {until}.', { until }),
    ].join(' '),
  ];
}

/** A boat that is on hold or late, while the buyer has no choice. */
function describeCrossing(leg: Leg, { tickets, confirmedAt }: Order, now: number): OrderState[] {
  const isAhead = expectedDeparture(leg) > now;
  const isUsed = tickets.some(({ leg: own, status }) => own === leg.leg && status === 'issued');
  if (confirmedAt === null || !isAhead || !isUsed) return [];
  const state = { id: `boat ${leg.leg}`, isOpen: true };
  if (leg.status === 'suspended') {
    return [
      {
        ...state,
        title: t('The {time} boat is on hold', { time: findDeparture(leg).time }),
        sentences: [
          describeBoat(leg),
          t('The tickets stay valid, and nothing was offered yet.'),
          t('Under “Another day or boat” you can move the party by the fare’s rules.'),
        ],
      },
    ];
  }
  if (leg.delayMinutes <= 0 || leg.status === 'canceled') return [];
  return [
    {
      ...state,
      title: nameLate(leg),
      sentences: [
        describeBoat(leg),
        t('The tickets stay valid. The buyer has no free choice of another boat.'),
        t('Under “Another day or boat” you can move the party by the fare’s rules.'),
      ],
    },
  ];
}

function nameLate(leg: Leg): string {
  return t('The boat is late and leaves at {time}', { time: findDeparture(leg).time });
}

/** "Port Madrona → Heron Island, Fri, Jun 5, 8:40 AM PDT, MV Tidewater." */
function describeBoat(leg: Leg): string {
  const { origin, destination, departsLocal, vesselName, delayMinutes, status, statusText } = leg;
  const boat = t('{from} → {to}, {time}, {vessel}.', {
    from: origin.name,
    to: destination.name,
    time: describeTime(departsLocal, leg),
    vessel: vesselName,
  });
  const late = delayMinutes > 0 && status !== 'canceled' ? `${describeLateness(t, delayMinutes)}.` : '';
  return [boat, late, statusText].filter(Boolean).join(' ');
}

/** What stays of a boat that does not run as bought, once the buyer can no longer choose. */
function describeAttention({ needsAttention, confirmedAt }: Order): OrderState[] {
  if (needsAttention === null) return [];
  // Without tickets there is nothing to move or to refund: the notice of the order says that it ended.
  if (needsAttention === 'sailing_canceled' && confirmedAt === null) return [];
  const state = { id: 'attention', isOpen: true };
  switch (needsAttention) {
    case 'sailing_canceled':
      return [{ ...state, title: t('A boat of this order is canceled'), sentences: listLastChoices() }];
    case 'no_room':
      return [
        {
          ...state,
          title: t('A smaller boat runs: this party may have no room'),
          sentences: listLastChoices(),
        },
      ];
    case 'sailing_changed':
      return [
        {
          ...state,
          title: t('A boat of this order has other times'),
          sentences: [t('The tickets stay valid. The buyer has no free choice of another boat.')],
        },
      ];
    case 'payment_in_doubt':
      return [
        {
          ...state,
          title: t('The payment is in doubt'),
          sentences: [t('Ask the office before you change or refund anything.')],
        },
      ];
  }
}

function listLastChoices(): string[] {
  return [
    t('The buyer can no longer choose online.'),
    t('You can move the party to another boat, or cancel the tickets for a full refund.'),
  ];
}

function describePayment({ order, paymentLink }: StaffOrder, now: number): OrderState[] {
  if (order.paymentStatus === 'disputed') {
    return [
      {
        id: 'payment',
        isOpen: true,
        title: t('The cardholder disputes the payment'),
        sentences: [
          t(
            'The bank decides. Until then the order cannot be changed or refunded, and its tickets stay valid.',
          ),
        ],
      },
    ];
  }
  const stage = orderStage(order);
  if (stage === 'processing') {
    return [
      {
        id: 'payment',
        isOpen: true,
        title: t('The payment is in doubt'),
        sentences: [
          t('The buyer has paid, but the bank has not confirmed it yet. Take no other payment.'),
          t('The order is confirmed as soon as the bank agrees. Otherwise its places are free again.'),
        ],
      },
    ];
  }
  if (stage !== 'unpaid' || order.hold === null || paymentLink !== null) return [];
  return [
    {
      id: 'payment',
      isOpen: true,
      title: t('The buyer is paying online'),
      sentences: [
        t('The places are held until {time}.', { time: formatWhen(order.hold.expiresAt, now) }),
        t('You cannot take this payment. Once the time is over, you can sell the places again.'),
      ],
    },
  ];
}

function describeLastNotice({ order, noticeCode }: StaffOrder): OrderState[] {
  const state = { id: 'notice', isOpen: noticeCode === 'refund_failed' };
  if (noticeCode !== null) {
    const { amount } = moneyBack(order);
    const refunds = t('Refunds: {amount} of {paid}.', {
      amount: formatMoney(amount, order.currency),
      paid: formatMoney(order.paid, order.currency),
    });
    return [
      {
        ...state,
        title: t(NOTICES[noticeCode]),
        sentences: [amount > 0 ? refunds : '', remedy(noticeCode)].filter(Boolean),
      },
    ];
  }
  if (order.needsAttention !== null || order.notice === '') return [];
  return [{ ...state, title: t('The buyer reads this about the order'), sentences: [order.notice] }];
}

function remedy(notice: OrderNotice): string {
  if (notice === 'refund_failed') {
    return t('Refund it to a trip card, or repeat it under “Refund beyond the rules”.');
  }
  if (notice === 'boat_canceled') return t('Nothing has to be paid. Sell the buyer another boat.');
  return '';
}

const NOTICES: Readonly<Record<OrderNotice, Message>> = {
  paid_late: message('The payment came late, but its places were still free'),
  no_room: message('The payment came too late: no room was left, and the money goes back'),
  no_value: message('The payment came too late for the trip card, and the money goes back'),
  boat_canceled: message('A boat was canceled before the order was paid'),
  changed: message('The order was changed. Earlier tickets of the changed trip are not valid'),
  partly_canceled: message('Some tickets were canceled'),
  canceled: message('The order was canceled without a refund'),
  canceled_and_refunded: message('The order was canceled and refunded in full'),
  canceled_and_partly_refunded: message('The order was canceled and refunded in part'),
  partly_refunded: message('A part of the order was refunded'),
  refund_repeated: message('A failed refund was sent again'),
  refund_failed: message('The card’s bank did not accept the refund'),
};
