/** Signs ticket codes with the operator's newest key. */
export type TicketSigner = {
  keyId: string;
  /** Ed25519 signature, 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
};
