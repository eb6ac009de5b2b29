import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedFiles } from '#server/sailings/feed/feed-files.ts';
import { buildIslandFeed, type TestCall } from '#tests/factories/island-line.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { feedText } from '#tests/factories/timetable.ts';
import { runNpmScript } from '#tests/process/command-line.ts';
import { endAll, newFolder, type ServerProcess, startServer } from '#tests/process/server-process.ts';

/** An operator of one line with five ports, whose feed is imported on a server of its own. */
export type IslandOffice = {
  origin: string;
  server: ServerProcess;
  /** Runs an operator's command, like `npm run NAME -- ARGS`. @returns what it printed */
  run(name: string, ...args: string[]): Promise<string>;
  /** Imports a feed with these trips into the running server. */
  importTrips(trips: Record<string, TestCall[]>): Promise<string>;
  stop(): Promise<void>;
};

/** @param files of the feed that differ from the usual ones */
export async function openIslandOffice(
  trips: Record<string, TestCall[]>,
  files: Record<string, string> = {},
): Promise<IslandOffice> {
  const folder = newFolder();
  const env = { NODE_ENV: 'test', DATA_DIR: join(folder, 'data') };
  const run = async (name: string, ...args: string[]) => {
    const { stdout, stderr, exitCode } = await runNpmScript(name, args, { env, cwd: folder });
    if (exitCode !== 0) throw new Error(`${name} ${args.join(' ')} failed:\n${stdout}${stderr}`);
    return stdout;
  };
  const importTrips = (all: Record<string, TestCall[]>) => {
    writeFeed(join(folder, 'feed'), buildFeed(all, files));
    return run('import', 'feed', '--days', '14');
  };
  mkdirSync(env.DATA_DIR);
  await importTrips(trips);
  const server = await startServer(env);
  return {
    origin: `http://tickets.ferry.localhost:${server.port}`,
    server,
    run,
    importTrips,
    async stop() {
      await endAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** With the demo operator's settings, and a boat for two beside the usual one for ten. */
function buildFeed(trips: Record<string, TestCall[]>, files: Record<string, string>): FeedFiles {
  return buildIslandFeed(trips, {
    'fare_classes.csv': 'code,name,cancel,open_ticket_days\nsaver,Saver,,14\n',
    'settings.json': JSON.stringify(demoSettings),
    'vessels.csv': `${feedText('vessels.csv')}skiff,Skiff,2,0,0,,,0\n`,
    ...files,
  });
}

function writeFeed(folder: string, files: FeedFiles): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
}
