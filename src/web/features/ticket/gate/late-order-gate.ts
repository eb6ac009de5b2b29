import type { Order } from '#web/platform/api/types.ts';
import { nextTask } from '#web/platform/next-task.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';

/** Screens that lead to tickets preload it when idle: at the gate it must open at once, and without a connection. */
export const OrderGate = lazyComponent(async () => (await import('./order-gate.tsx')).OrderGate);

/** Draws the code of the next trip while the page is idle. */
export async function drawAhead(order: Order | null | undefined): Promise<void> {
  if (!order) return;
  const { drawFirstCode } = await import('./order-gate.tsx');
  // A slow phone takes 50 ms for a code.
  await nextTask();
  drawFirstCode(order);
}
