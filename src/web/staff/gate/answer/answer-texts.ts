import type { GateSailing, GateTicket } from '#contract/gate/schemas.ts';
import type { Decision, Look, StopReason } from '#domain/boarding/decide-boarding.ts';
import { countTitles } from '#domain/boarding/party-progress.ts';
import { type Message, message } from '#messages/translate.ts';
import { formatShortDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import { formatBoatTime, formatExpectedTime } from '../boat-texts.ts';
import type { Answer } from './answers.ts';

/** The reason in a few words, and what to do. */
const STOPS: Record<StopReason, { reason: Message; todo: Message }> = {
  not_a_ticket: {
    reason: message('Not a ticket'),
    todo: message('Ask for the code of the ticket, or search by name.'),
  },
  unknown_format: {
    reason: message('A newer kind of ticket'),
    todo: message('Reload this page when you have a connection. Until then, search by name.'),
  },
  damaged: {
    reason: message('The code cannot be read'),
    todo: message('Scan it again, or type the letters below the code.'),
  },
  unknown_code: {
    reason: message('No ticket has this code'),
    todo: message('Check the letters, or scan the ticket. It may be newer than the list on this device.'),
  },
  unknown_key: {
    reason: message('This ticket cannot be checked'),
    todo: message(
      'The list on this device is too old. Wait for a connection, or send them to the ticket booth.',
    ),
  },
  forged: {
    reason: message('Forged ticket'),
    todo: message('Do not let them aboard. Send them to the ticket booth.'),
  },
  expired: {
    reason: message('The ticket has expired'),
    todo: message('They need a new ticket. Send them to the ticket booth.'),
  },
  canceled: {
    reason: message('Canceled ticket'),
    todo: message('It was canceled or refunded. They need a new ticket.'),
  },
  replaced: {
    reason: message('There is a newer ticket'),
    todo: message('The order was changed. Ask for the ticket in their latest email.'),
  },
  party_changed: {
    reason: message('Fewer people are booked'),
    todo: message('The order was changed. Scan the tickets one by one.'),
  },
  boarded_before: {
    reason: message('Already aboard'),
    todo: message('This may be a copy. Compare the name on the order with the person.'),
  },
  sailing_canceled: {
    reason: message('This sailing is canceled'),
    todo: message('Send them to the ticket booth for another boat or their money back.'),
  },
  departed: {
    reason: message('This boat has departed'),
    todo: message('Choose the next boat on this device.'),
  },
  check_in_closed: {
    reason: message('Check-in is closed'),
    todo: message('Only a manager can let them aboard, or check-in can be opened again.'),
  },
  missed: {
    reason: message('They missed check-in'),
    todo: message('Their place was freed. Send them to the ticket booth.'),
  },
  other_port: {
    reason: message('Leaves from another port'),
    todo: message('Show them where their boat leaves.'),
  },
  other_sailing: {
    reason: message('Ticket for another boat'),
    todo: message('Ask them to wait for their boat, or to change the ticket.'),
  },
};

const LOOKS: Record<Look, Message> = {
  proof: message('Ask for the proof of the reduced fare'),
  vehicle: message('Compare the vehicle'),
  assistance: message('Needs help'),
  details: message('Ask for the details that the law requires'),
  partly_aboard: message('Some of this party are aboard already'),
  missed_earlier: message('Missed an earlier boat; this fare may take this one'),
};

export function describeStop(reason: StopReason): { reason: string; todo: string } {
  const { reason: short, todo } = STOPS[reason];
  return { reason: t(short), todo: t(todo) };
}

export function describeLook(look: Look): string {
  return t(LOOKS[look]);
}

/** "Fri, Jun 5, 8:40 AM to Heron Island, from Port Madrona"; of a late boat also when it is expected to leave. */
export function describeTicketSailing(sailing: GateSailing): string {
  const { service_date, destination, origin } = sailing;
  const expected = formatExpectedTime(sailing);
  const values = { day: formatShortDay(service_date), time: formatBoatTime(sailing), destination, origin };
  return expected === null
    ? t('{day}, {time} to {destination}, from {origin}', values)
    : t('{day}, {time} (expected {expected}) to {destination}, from {origin}', { ...values, expected });
}

/** Whether the ticket's sailing says more than the gate's own. */
export function namesOtherSailing(decision: Decision): decision is Decision & { sailing: GateSailing } {
  const reasons: StopReason[] = ['other_port', 'other_sailing', 'missed', 'sailing_canceled', 'expired'];
  const isMissed = decision.answer !== 'stop' && decision.looks.includes('missed_earlier');
  return (
    decision.sailing !== null &&
    (isMissed || (decision.answer === 'stop' && reasons.includes(decision.reason)))
  );
}

/** One line for the list of last scans. */
export function summarizeAnswer({ decision, tickets, step, fare }: Answer): string {
  const who = fare?.travelers ?? describeTitles(tickets);
  const what = summarizeStep(decision, step);
  return who === '' ? what : t('{what}: {who}', { what, who });
}

function summarizeStep(decision: Decision, step: Answer['step']): string {
  if (step === 'undone') return t('Taken back');
  if (step === 'left') return t('Left the boat');
  if (step === 'overridden') return t('Let aboard with a reason');
  return decision.answer === 'stop' ? describeStop(decision.reason).reason : t('Let aboard');
}

/** "2 × Adult, Car up to 5 m" */
export function describeTitles(tickets: readonly GateTicket[]): string {
  return countTitles(tickets)
    .map(({ title, count }) => (count === 1 ? title : t('{count} × {title}', { count, title })))
    .join(', ');
}
