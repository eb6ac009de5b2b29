import { createStore } from './create-store.ts';

/** The number of requests without an answer yet, and of screens that are being loaded. */
export const pendingRequests = createStore(0);
