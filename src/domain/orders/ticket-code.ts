import { countParty } from '../fares/party.ts';
import {
  ascii,
  defineFormat,
  type FieldsOf,
  formatCode,
  id,
  keyId,
  oneOf,
  SIGNATURE_BYTES,
  type SignedBytes,
  splitCode,
  unsigned,
} from '../signed-code.ts';

const PREFIX = 'GW1';
const TICKET_FORMAT = 1;
const PARTY_FORMAT = 2;
const TICKET_KINDS = ['passenger', 'vehicle', 'bicycle'] as const;
/** Length of the longest possible code, including the signature. */
export const TICKET_CODE_BYTES = 50 + (1 + 12) + (1 + 16) + SIGNATURE_BYTES;

/**
 * A ticket's code contains everything the gate needs and is signed, so a reader verifies it with the operator's public
 * key and without network. No names, because codes get photographed. As text: `GW1` and base 32, which fits a QR code's
 * compact alphanumeric mode.
 */
export const ticketFormat = defineFormat(TICKET_FORMAT, {
  keyId,
  ticketId: id('tkt_'),
  sailingId: id('slg_'),
  /** Scheduled departure, whole minutes since 1970 in UTC. */
  departsMinute: unsigned(4),
  /** The gate refuses the ticket after this minute. */
  validUntilMinute: unsigned(4),
  kind: oneOf(TICKET_KINDS),
  /** Vehicle with trailer; 0 if there is none or the length was not asked. */
  lengthCm: unsigned(2),
  partyIndex: unsigned(1),
  partySize: unsigned(1),
  /** Increases with each change of the ticket. */
  version: unsigned(2),
  /** The order's reference. */
  reference: ascii(12),
  /** Code of the passenger or vehicle type; empty for bicycles. */
  typeCode: ascii(16),
});
export type TicketFields = FieldsOf<typeof ticketFormat>;
export type TicketKind = (typeof TICKET_KINDS)[number];

/**
 * One code for all passengers of an order on one sailing, for a gate that counts people. Short enough for a smaller QR
 * code than a ticket's. A gate that has admitted single tickets of the same order and sailing subtracts them.
 */
export const partyFormat = defineFormat(PARTY_FORMAT, {
  keyId,
  sailingId: id('slg_'),
  departsMinute: unsigned(4),
  validUntilMinute: unsigned(4),
  passengers: unsigned(1),
  vehicles: unsigned(1),
  bicycles: unsigned(1),
  lengthCm: unsigned(2),
  version: unsigned(2),
  reference: ascii(12),
});
export type PartyFields = FieldsOf<typeof partyFormat>;

export type ParsedCode =
  | ({ ok: true; type: 'ticket'; fields: TicketFields } & SignedBytes)
  | ({ ok: true; type: 'party'; fields: PartyFields } & SignedBytes)
  | { ok: false; reason: 'not_a_ticket' | 'unknown_format' | 'damaged' };

/**
 * The party of the tickets of one order and sailing. It is valid until the first of them ends.
 * @returns null for fewer than two tickets
 */
export function buildParty(
  tickets: readonly TicketFields[],
  { keyId, version }: Pick<TicketFields, 'keyId' | 'version'>,
): PartyFields | null {
  const [first] = tickets;
  if (first === undefined || tickets.length < 2) return null;
  return {
    keyId,
    sailingId: first.sailingId,
    reference: first.reference,
    departsMinute: first.departsMinute,
    validUntilMinute: Math.min(...tickets.map(({ validUntilMinute }) => validUntilMinute)),
    ...countParty(tickets),
    lengthCm: tickets.reduce((sum, { lengthCm }) => sum + lengthCm, 0),
    version,
  };
}

/** The text of the QR code, from the bytes and their signature. */
export function formatTicketCode(signed: Uint8Array, signature: Uint8Array): string {
  return formatCode(PREFIX, signed, signature);
}

/**
 * Parses a scanned or typed code; ignores case, spaces and dashes, accepts letters mistaken for 0 and 1, and takes a
 * code that a scanner sent several times as one. Does not verify the signature: callers that trust the fields verify
 * `signature` over `signed` first.
 */
export function parseCode(text: string): ParsedCode {
  const compact = text
    .replace(/[\s-]/g, '')
    .toUpperCase()
    .replace(/^(GW.+?)\1+$/, '$1');
  if (!/^GW[1IL]/.test(compact)) {
    return { ok: false, reason: /^GW[2-9]/.test(compact) ? 'unknown_format' : 'not_a_ticket' };
  }
  const bytes = splitCode(compact.slice(PREFIX.length));
  if (!bytes || bytes.signed.length + SIGNATURE_BYTES > TICKET_CODE_BYTES) return damaged;
  const ticket = ticketFormat.decode(bytes.signed);
  if (ticket) return { ok: true, type: 'ticket', fields: ticket, ...bytes };
  const party = partyFormat.decode(bytes.signed);
  if (party) return { ok: true, type: 'party', fields: party, ...bytes };
  const isKnown = bytes.signed[0] === TICKET_FORMAT || bytes.signed[0] === PARTY_FORMAT;
  return isKnown ? damaged : { ok: false, reason: 'unknown_format' };
}

const damaged: ParsedCode = { ok: false, reason: 'damaged' };
