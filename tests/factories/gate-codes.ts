import { generateKeyPairSync, sign } from 'node:crypto';
import type { TicketKey } from '#contract/orders/schemas.ts';
import {
  formatTicketCode,
  type PartyFields,
  partyFormat,
  type TicketFields,
  ticketFormat,
} from '#domain/orders/ticket-code.ts';
import {
  formatPassCode,
  formatTripCardCode,
  passFormat,
  type TripCardCode,
  tripCardFormat,
} from '#domain/trip-cards/trip-card-code.ts';

/** The end of the year 2099, in minutes since 1970. */
const LATE = 68_374_080;

/** An operator's key with which tickets are signed. */
export function createTicketSigner(keyId = 'k1') {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key: TicketKey = {
    key_id: keyId,
    algorithm: 'Ed25519',
    key: publicKey.export({ format: 'jwk' }).x ?? '',
    not_before: '2026-01-01T00:00:00.000Z',
    not_after: null,
  };
  const signBytes = (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey));
  const seal = (bytes: Uint8Array) => formatTicketCode(bytes, signBytes(bytes));
  return {
    key,
    /** `product`: of a pass. */
    signCard({
      product,
      ...fields
    }: Pick<TripCardCode, 'cardId'> & Partial<TripCardCode> & { product?: string }): string {
      const card: TripCardCode = {
        ...{ keyId, number: '9000000000000001', balance: 2000, madeMinute: LATE - 24 * 60 },
        ...{ validUntilMinute: LATE, version: 1, ...fields },
      };
      if (product === undefined) {
        const bytes = tripCardFormat.encode(card);
        return formatTripCardCode(bytes, signBytes(bytes));
      }
      const bytes = passFormat.encode({ ...card, product });
      return formatPassCode(bytes, signBytes(bytes));
    },
    signTicket(fields: Pick<TicketFields, 'ticketId' | 'sailingId'> & Partial<TicketFields>): string {
      return seal(
        ticketFormat.encode({
          keyId,
          departsMinute: LATE,
          validUntilMinute: LATE,
          kind: 'passenger',
          lengthCm: 0,
          partyIndex: 1,
          partySize: 1,
          version: 1,
          reference: 'K7M4-QXP8',
          typeCode: 'adult',
          ...fields,
        }),
      );
    },
    signParty(fields: Pick<PartyFields, 'sailingId' | 'passengers'> & Partial<PartyFields>): string {
      return seal(
        partyFormat.encode({
          keyId,
          departsMinute: LATE,
          validUntilMinute: LATE,
          vehicles: 0,
          bicycles: 0,
          lengthCm: 0,
          version: 1,
          reference: 'K7M4-QXP8',
          ...fields,
        }),
      );
    },
  };
}
