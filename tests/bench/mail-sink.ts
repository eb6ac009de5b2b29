import { parentPort } from 'node:worker_threads';
import { startMailServer } from './chaos/mail-server.ts';

/** A thread with a mail server, so that receiving is not counted as the sender's processor time. */
const { url, accepted } = await startMailServer();
parentPort?.on('message', () => parentPort?.postMessage(accepted.size));
parentPort?.postMessage(url);
