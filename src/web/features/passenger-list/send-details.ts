import { setTravelerDetails } from '#contract/passenger-lists/endpoints.ts';
import { buyerProof } from '#web/features/order/buyer-proof.ts';
import { request } from '#web/platform/api/request.ts';
import { type DetailsValues, toDetails } from './details-values.ts';

type TypedDetails = { values: DetailsValues; indexes: readonly number[]; buyerSecret: string | null };

/** Sends the details of travelers, by their places in the party. */
export function sendDetails(orderId: string, { values, indexes, buyerSecret }: TypedDetails) {
  const travelers = indexes.map((index) => ({ traveler: index + 1, details: toDetails(values, index) }));
  return request(setTravelerDetails, {
    params: { id: orderId },
    body: { travelers, ...buyerProof(buyerSecret) },
  });
}
