import { fromBase32, idBytes, idCharacters, toBase32 } from '../base32.ts';
import { countParty, type PartyCounts } from '../fares/party.ts';

/**
 * The content of a ticket's code. It contains everything the gate needs and is signed, so a reader verifies it with the
 * operator's public key and without network. No names, because codes get photographed.
 *
 * Bytes, big-endian: format (1) · key number (2) · ticket id (16) · sailing id (16) · departure and last validity in
 * minutes since 1970 (4 + 4) · kind (1) · length in cm (2) · party n, m (1 + 1) · version (2) · reference and class,
 * each preceded by its length · Ed25519 signature (64) over all bytes before it. As text: `GW1` and the bytes in base
 * 32, which fits a QR code's compact alphanumeric mode.
 */
export type TicketFields = {
  /** `k` and the key's number: `k1`. */
  keyId: string;
  ticketId: string;
  sailingId: string;
  /** The order's reference, 12 characters at most. */
  reference: string;
  /** Scheduled departure, whole minutes since 1970 in UTC. */
  departsMinute: number;
  /** The gate refuses the ticket after this minute. */
  validUntilMinute: number;
  kind: TicketKind;
  /** Code of the passenger or vehicle type, 16 characters at most; empty for bicycles. */
  typeCode: string;
  /** Vehicle with trailer; 0 if there is none or the length was not asked. */
  lengthCm: number;
  partyIndex: number;
  partySize: number;
  /** Increases with each change of the ticket. */
  version: number;
};

export type TicketKind = 'passenger' | 'vehicle' | 'bicycle';

/**
 * One code for all passengers of an order on one sailing, for a gate that counts people. Bytes, big-endian: format (1)
 * · key number (2) · sailing id (16) · departure and last validity (4 + 4) · passengers, vehicles, bicycles (1 + 1 + 1)
 * · length of the vehicles in cm (2) · version (2) · reference with its length (1 + 12 at most) · signature. Short
 * enough for a smaller QR code than a ticket's. A gate that has admitted single tickets of the same order and sailing
 * subtracts them.
 */
export type PartyFields = Pick<
  TicketFields,
  'keyId' | 'sailingId' | 'reference' | 'departsMinute' | 'validUntilMinute' | 'lengthCm' | 'version'
> &
  PartyCounts;

type Signed = { signed: Uint8Array; signature: Uint8Array };
export type ParsedCode =
  | ({ ok: true; type: 'ticket'; fields: TicketFields } & Signed)
  | ({ ok: true; type: 'party'; fields: PartyFields } & Signed)
  | { ok: false; reason: 'not_a_ticket' | 'unknown_format' | 'damaged' };

const PREFIX = 'GW1';
const TICKET_FORMAT = 1;
const PARTY_FORMAT = 2;
const SIGNATURE_BYTES = 64;
const KINDS: readonly TicketKind[] = ['passenger', 'vehicle', 'bicycle'];
const FIXED_BYTES = 1 + 2 + 16 + 16 + 4 + 4 + 1 + 2 + 1 + 1 + 2;
const PARTY_FIXED_BYTES = 1 + 2 + 16 + 4 + 4 + 1 + 1 + 1 + 2 + 2;
const REFERENCE_LIMIT = 12;
const TYPE_LIMIT = 16;
/** Length of the longest possible code, including the signature. */
export const TICKET_CODE_BYTES = FIXED_BYTES + 1 + REFERENCE_LIMIT + 1 + TYPE_LIMIT + SIGNATURE_BYTES;

/**
 * Encodes the bytes to be signed.
 * @throws {RangeError} if a field is out of range
 */
export function encodeTicket(fields: TicketFields): Uint8Array {
  const reference = asciiBytes(fields.reference, REFERENCE_LIMIT);
  const typeCode = asciiBytes(fields.typeCode, TYPE_LIMIT);
  const bytes = new Uint8Array(FIXED_BYTES + 2 + reference.length + typeCode.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, TICKET_FORMAT);
  view.setUint16(1, within(keyNumber(fields.keyId), 0xffff));
  bytes.set(bytesOfId(fields.ticketId, 'tkt_'), 3);
  bytes.set(bytesOfId(fields.sailingId, 'slg_'), 19);
  view.setUint32(35, within(fields.departsMinute, 0xffffffff));
  view.setUint32(39, within(fields.validUntilMinute, 0xffffffff));
  view.setUint8(43, KINDS.indexOf(fields.kind));
  view.setUint16(44, within(fields.lengthCm, 0xffff));
  view.setUint8(46, within(fields.partyIndex, 0xff));
  view.setUint8(47, within(fields.partySize, 0xff));
  view.setUint16(48, within(fields.version, 0xffff));
  view.setUint8(50, reference.length);
  bytes.set(reference, 51);
  view.setUint8(51 + reference.length, typeCode.length);
  bytes.set(typeCode, 52 + reference.length);
  return bytes;
}

/**
 * Encodes a party code's bytes to be signed.
 * @throws {RangeError} if a field is out of range
 */
export function encodeParty(fields: PartyFields): Uint8Array {
  const reference = asciiBytes(fields.reference, REFERENCE_LIMIT);
  const bytes = new Uint8Array(PARTY_FIXED_BYTES + 1 + reference.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, PARTY_FORMAT);
  view.setUint16(1, within(keyNumber(fields.keyId), 0xffff));
  bytes.set(bytesOfId(fields.sailingId, 'slg_'), 3);
  view.setUint32(19, within(fields.departsMinute, 0xffffffff));
  view.setUint32(23, within(fields.validUntilMinute, 0xffffffff));
  view.setUint8(27, within(fields.passengers, 0xff));
  view.setUint8(28, within(fields.vehicles, 0xff));
  view.setUint8(29, within(fields.bicycles, 0xff));
  view.setUint16(30, within(fields.lengthCm, 0xffff));
  view.setUint16(32, within(fields.version, 0xffff));
  view.setUint8(PARTY_FIXED_BYTES, reference.length);
  bytes.set(reference, PARTY_FIXED_BYTES + 1);
  return bytes;
}

/**
 * The party of the tickets of one order and sailing. It is valid until the first of them ends.
 * @returns null for fewer than two tickets
 */
export function partyOf(
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
  const bytes = new Uint8Array(signed.length + signature.length);
  bytes.set(signed);
  bytes.set(signature, signed.length);
  return PREFIX + toBase32(bytes);
}

/**
 * Parses a scanned or typed code; ignores case, spaces and dashes and accepts letters mistaken for 0 and 1. Does not
 * verify the signature: callers that trust the fields verify `signature` over `signed` first.
 */
export function parseCode(text: string): ParsedCode {
  const compact = text.replace(/[\s-]/g, '').toUpperCase();
  if (!/^GW[1IL]/.test(compact)) {
    return { ok: false, reason: /^GW[2-9]/.test(compact) ? 'unknown_format' : 'not_a_ticket' };
  }
  const bytes = fromBase32(compact.slice(PREFIX.length));
  if (!bytes || bytes.length <= SIGNATURE_BYTES || bytes.length > TICKET_CODE_BYTES) return damaged();
  const signed = bytes.slice(0, -SIGNATURE_BYTES);
  const signature = bytes.slice(-SIGNATURE_BYTES);
  if (bytes[0] === TICKET_FORMAT) {
    const fields = readTicket(signed);
    return fields ? { ok: true, type: 'ticket', fields, signed, signature } : damaged();
  }
  if (bytes[0] === PARTY_FORMAT) {
    const fields = readParty(signed);
    return fields ? { ok: true, type: 'party', fields, signed, signature } : damaged();
  }
  return { ok: false, reason: 'unknown_format' };
}

function damaged(): ParsedCode {
  return { ok: false, reason: 'damaged' };
}

function readTicket(bytes: Uint8Array): TicketFields | null {
  const referenceLength = bytes[50] ?? 0;
  const typeLength = bytes[51 + referenceLength] ?? 0;
  if (bytes.length !== FIXED_BYTES + 2 + referenceLength + typeLength) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = KINDS[view.getUint8(43)];
  const reference = asciiText(bytes.subarray(51, 51 + referenceLength));
  const typeCode = asciiText(bytes.subarray(52 + referenceLength));
  if (!kind || reference === null || typeCode === null) return null;
  return {
    keyId: `k${view.getUint16(1)}`,
    ticketId: `tkt_${idCharacters(bytes.subarray(3, 19))}`,
    sailingId: `slg_${idCharacters(bytes.subarray(19, 35))}`,
    reference,
    departsMinute: view.getUint32(35),
    validUntilMinute: view.getUint32(39),
    kind,
    typeCode,
    lengthCm: view.getUint16(44),
    partyIndex: view.getUint8(46),
    partySize: view.getUint8(47),
    version: view.getUint16(48),
  };
}

function readParty(bytes: Uint8Array): PartyFields | null {
  const referenceLength = bytes[PARTY_FIXED_BYTES] ?? 0;
  if (bytes.length !== PARTY_FIXED_BYTES + 1 + referenceLength) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reference = asciiText(bytes.subarray(PARTY_FIXED_BYTES + 1));
  if (reference === null) return null;
  return {
    keyId: `k${view.getUint16(1)}`,
    sailingId: `slg_${idCharacters(bytes.subarray(3, 19))}`,
    reference,
    departsMinute: view.getUint32(19),
    validUntilMinute: view.getUint32(23),
    passengers: view.getUint8(27),
    vehicles: view.getUint8(28),
    bicycles: view.getUint8(29),
    lengthCm: view.getUint16(30),
    version: view.getUint16(32),
  };
}

function keyNumber(keyId: string): number {
  return /^k\d+$/.test(keyId) ? Number(keyId.slice(1)) : Number.NaN;
}

function bytesOfId(id: string, prefix: string): Uint8Array {
  const bytes = id.startsWith(prefix) ? idBytes(id.slice(prefix.length)) : null;
  if (!bytes) throw new RangeError(`Not an id of the kind ${prefix}`);
  return bytes;
}

function within(value: number, limit: number): number {
  if (!Number.isInteger(value) || value < 0 || value > limit) throw new RangeError('A field does not fit.');
  return value;
}

function asciiBytes(text: string, limit: number): Uint8Array {
  if (text.length > limit || !/^[\x20-\x7e]*$/.test(text)) throw new RangeError('A text does not fit.');
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function asciiText(bytes: Uint8Array): string | null {
  const text = String.fromCharCode(...bytes);
  return /^[\x20-\x7e]*$/.test(text) ? text : null;
}
