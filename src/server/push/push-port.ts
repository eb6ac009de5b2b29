/** What a push service needs to know about a push; the text is encrypted. */
export type OutgoingPush = {
  endpoint: string;
  p256dh: string;
  auth: string;
  text: string;
  /** How long the service keeps it for a browser that is not reachable. */
  ttlSeconds: number;
  /** `high` also wakes a phone that saves power. */
  urgency: 'normal' | 'high';
  /** A waiting push with the same topic is replaced; 32 characters of base64url at most. */
  topic: string;
};

/** `gone`: the subscription has ended. `refused`: a repetition would be refused, too. */
export type PushOutcome = 'sent' | 'gone' | 'refused' | { retryAfterSeconds: number | null };

/** Sends pushes to the push services of browsers (RFC 8030). */
export type PushSender = {
  publicKey: string;
  /** Whether an endpoint may be one of a push service: HTTPS and a name, or the stand-in. */
  accepts(endpoint: string): boolean;
  send(push: OutgoingPush): Promise<PushOutcome>;
};

/** A push service inside this process. */
export type PushStandIn = { origin: string; fetch(request: Request): Promise<Response> };
