export type OutgoingSms = {
  /** International, with +. */
  to: string;
  text: string;
  /** After this the message is worthless, and the provider should not deliver it any more. */
  validSeconds: number;
};

/** `refused`: a repetition would be refused, too, such as to a number that does not exist. */
export type SmsOutcome = 'sent' | 'refused' | { retryAfterSeconds: number | null };

/** Hands text messages to a provider. `sent`: it has taken the message. */
export type SmsSender = { send(message: OutgoingSms): Promise<SmsOutcome> };
