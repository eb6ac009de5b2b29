import { createStore } from '../create-store.ts';

/** How many calls have not been answered yet. */
export const callsUnderWay = createStore(0);
