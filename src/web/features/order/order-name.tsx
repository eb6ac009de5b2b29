/** "Order K7M4-QXPA", of which a browser's translator leaves the reference alone. */
export function OrderName({ reference }: { reference: string }) {
  return (
    <>
      Order <span translate="no">{reference}</span>
    </>
  );
}
