import { cpSync } from 'node:fs';
import { startServer } from '#tests/process/server-process.ts';

// Loading the demo takes three quarters of a first start, so it is loaded once for all servers of a run.
const { E2E_DEMO_DIR = '', E2E_DATA_DIR = '' } = process.env;
const server = await startServer({ NODE_ENV: 'test', DATA_DIR: E2E_DEMO_DIR });
await server.signal('SIGTERM');
cpSync(E2E_DEMO_DIR, E2E_DATA_DIR, { recursive: true });
