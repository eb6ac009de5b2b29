import { createStore } from './create-store.ts';

/** The number of requests without an answer yet. */
export const pendingRequests = createStore(0);
