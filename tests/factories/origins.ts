import { forEachHost } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';

/** The origins of a default installation, as pages know them. */
export const ORIGINS = {
  ...forEachHost((host) => `http://${servedHosts[host].subdomain}.ferry.localhost:8080`),
  storage: 'http://storage.ferry.localhost:8080',
};
