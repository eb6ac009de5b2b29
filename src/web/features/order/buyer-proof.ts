/** The part of a request's body that permits a change of a guest's order. */
export function buyerProof(buyerSecret: string | null): { buyerSecret?: string } {
  return buyerSecret === null ? {} : { buyerSecret };
}
