import { listPackages } from './module-loading.js';

/*
 * Started by `development.ts` ahead of the next restart: loads the packages that the running server uses, which stay the
 * same while files change, and starts the server when it is told to.
 */

const [, , , ...packages] = process.argv;
// A package that was removed is missed by the server, which says so.
await Promise.allSettled(packages.map((name) => import(name)));
process.once('message', async () => {
  await import('./main.js');
  process.send?.(listPackages());
});
