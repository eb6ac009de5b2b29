import { availableParallelism } from 'node:os';

/** A third of their time tests wait: for timers, for what loads later, for processes and for a database server. */
export const WORKERS = Math.ceil(availableParallelism() * 1.5);
