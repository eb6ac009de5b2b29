import { rmSync } from 'node:fs';
import { type OpenDatabase, openDatabase } from '#server/database/database.ts';
import { type Balancer, openBalancer } from '#tests/process/balancer.ts';
import { endAll, newFolder, type ServerProcess, startServer } from '#tests/process/server-process.ts';
import { startCluster } from '#tests/setup/engine.ts';

/** The product on a separate PostgreSQL, with a round-robin balancer between browsers and its processes. */
export type PostgresOffice = {
  origins: { tickets: string; portal: string };
  balancer: Balancer;
  database: OpenDatabase;
  /** @param folder of the release to start, if it is not this one */
  startProcess: (folder?: string) => Promise<ServerProcess>;
  stop: () => Promise<void>;
};

export async function openPostgresOffice(): Promise<PostgresOffice> {
  const cluster = await startCluster();
  const balancer = await openBalancer();
  const folder = newFolder();
  const env = {
    NODE_ENV: 'test',
    DATA_DIR: folder,
    DATABASE_URL: cluster.url,
    PUBLIC_PORT: String(balancer.port),
  };
  const database = await openDatabase({ url: cluster.url, folder: null });
  return {
    origins: {
      tickets: `http://tickets.ferry.localhost:${balancer.port}`,
      portal: `http://my.ferry.localhost:${balancer.port}`,
    },
    balancer,
    database,
    startProcess: (release) => startServer(env, release),
    stop: async () => {
      await endAll();
      await balancer.close();
      await database.close();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
