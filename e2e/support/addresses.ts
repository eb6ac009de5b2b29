import { forEachHost } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';

/** Where the product under test runs. Chromium resolves `*.localhost` by itself; Node does not. */
export const PORT = Number(process.env.E2E_PORT ?? 8123);
export const ORIGINS = {
  ...forEachHost((host) => `http://${servedHosts[host].subdomain}.ferry.localhost:${PORT}`),
  pay: `http://pay.ferry.localhost:${PORT}`,
  mail: `http://mail.ferry.localhost:${PORT}`,
  push: `http://push.ferry.localhost:${PORT}`,
  storage: `http://storage.ferry.localhost:${PORT}`,
  front: `http://localhost:${PORT}`,
};
