import type { TripOutcome } from '#domain/orders/trip-outcome.ts';
import { type Message, message } from '#messages/translate.ts';

export const TRIP_OUTCOMES: Readonly<Record<TripOutcome, Message>> = {
  used: message('Used'),
  missed: message('Missed'),
  unknown: message('Past trip'),
};
