import { createStore } from './create-store.ts';

/** How many calls have not been answered yet. */
export const pendingRequests = createStore(0);
