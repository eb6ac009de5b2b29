import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { countOpenRequests } from '../core/open-requests.ts';

/** From so many open requests on, customers wait for the processor. */
const MANY_REQUESTS = 4;
/** About 25 mails a second. */
const PAUSE_MS = 30;

let last = Promise.resolve();

/** Lets the mails of a batch, which are read together, be rendered one by one, with pauses while many customers wait. */
export function waitForTurn(): Promise<void> {
  last = last.then(() => (countOpenRequests() >= MANY_REQUESTS ? delay(PAUSE_MS) : nextTurn()));
  return last;
}
