import { fork } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A phone on a slow fourth-generation network, as speed goals are usually stated for. */
export const SLOW_4G = { roundTripMs: 150, downBits: 1_600_000, upBits: 750_000 };
/** The same phone at the far end of the quay. */
export const WEAK = { roundTripMs: 600, downBits: 200_000, upBits: 100_000, loss: 0.05 };
/** How much slower the phone computes than this machine. */
export const CPU_SLOWDOWN = 4;

export type ShapedLink = {
  proxy: string;
  /** `gone`: nothing can be reached; `stalled`: connections open and no byte comes. */
  set(mode: 'open' | 'gone' | 'stalled'): Promise<void>;
  close(): void;
};

/** A proxy for the browser, behind which everything is as far away as over that network. */
export async function openShapedLink(profile: object = SLOW_4G): Promise<ShapedLink> {
  const child = fork(fileURLToPath(new URL('./shaper.ts', import.meta.url)), [JSON.stringify(profile)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    child.once('message', (message) => resolve(message as AddressInfo));
    child.once('exit', () => reject(new Error('The shaped link did not start.')));
  });
  return {
    proxy: `socks5://127.0.0.1:${address.port}`,
    set: (mode) =>
      new Promise((resolve) => {
        child.once('message', () => resolve());
        child.send(mode);
      }),
    close: () => child.disconnect(),
  };
}
