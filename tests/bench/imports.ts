import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '#tests/setup/engine.ts';
import { atMost, type Goal } from './goal.ts';
import { readProcessorTime } from './processor-time.ts';

/** Sailings of the 90 days that an import puts on sale, and the stops of each trip. */
const FEEDS = [
  { size: 200_000, stops: 5 },
  { size: 250_000, stops: 2 },
  { size: 1_200_000, stops: 5 },
];
const DAYS = 90;
const LINES = 12;

type Cost = { seconds: number; processMs: number; databaseMs: number; memory: number; output: string };

/**
 * Imports of generated timetables on PostgreSQL: the first one, the same feed again, and the daily extension. A feed with more sailings than
 * an import puts on sale is cut to fewer days.
 */
export async function measureImports(_runs: number, report: (line: string) => void): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const { size, stops } of FEEDS) {
    const cluster = await startCluster();
    const folder = mkdtempSync(join(tmpdir(), 'gangway-bench-import-'));
    try {
      // A trip is sold between each two of its stops.
      const tripsPerDay = Math.floor(size / (DAYS + 1) / ((stops * (stops - 1)) / 2));
      writeFeed(folder, { lines: LINES, tripsPerDay, stops });
      for (const what of ['first', 'same again', 'extended by a day'] as const) {
        const cost = what === 'extended by a day' ? extend(cluster) : importFolder(folder, cluster);
        report(`${size} sailings, ${stops} stops, ${what}: ${showCost(cost)}\n${cost.output}`);
        goals.push(...judge(`import of ${size} sailings, ${stops} stops, ${what}`, cost));
      }
    } finally {
      rmSync(folder, { recursive: true });
      await cluster.stop();
    }
  }
  return goals;
}

export function importFolder(folder: string, cluster: Database): Cost {
  return run(cluster, ['src/server/commands/import.ts', folder]);
}

function extend(cluster: Database): Cost {
  return run(cluster, ['tests/bench/roll-timetable.ts']);
}

type Database = { url: string; data: string };

function run({ url, data }: Database, script: readonly string[]): Cost {
  const readDatabase = () => readProcessorTime({ pid: process.pid, data })?.database ?? 0;
  const before = readDatabase();
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['--import', './src/server/module-loading.js', '--import', './tests/bench/report-usage.ts'],
      ...script,
    ],
    { env: { ...process.env, DATABASE_URL: url }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The import failed.\n${stderr}`);
  const usage = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as {
    processorMs: number;
    memory: number;
  };
  return {
    seconds: (performance.now() - started) / 1000,
    processMs: usage.processorMs,
    databaseMs: readDatabase() - before,
    memory: usage.memory,
    output: stdout.trimEnd(),
  };
}

function showCost({ seconds, processMs, databaseMs, memory }: Cost): string {
  const inSeconds = (ms: number) => (ms / 1000).toFixed(1);
  return `${seconds.toFixed(1)} s, processor time ${inSeconds(processMs)} s and ${inSeconds(databaseMs)} s in the database, ${(memory / 1e6).toFixed(0)} MB`;
}

function judge(name: string, { processMs, databaseMs, memory }: Cost): Goal[] {
  return [
    atMost(`${name}, processor time`, (processMs + databaseMs) / 1000, { must: 60, aim: 30 }, { unit: 's' }),
    atMost(`${name}, memory`, memory / 1e6, { must: 400, aim: 300 }, { unit: 'MB', digits: 0 }),
  ];
}

/** Lines of some ports with boats all day, every day, a fare for all, on one boat. */
export function writeFeed(
  folder: string,
  { lines, tripsPerDay, stops = 5 }: { lines: number; tripsPerDay: number; stops?: number },
): void {
  const files: Record<string, string[]> = {
    'agency.txt': ['agency_id,agency_name,agency_timezone', 'a,Bench Ferries,America/New_York'],
    'stops.txt': ['stop_id,stop_name,stop_lat,stop_lon'],
    'routes.txt': ['route_id,route_long_name,route_type'],
    'trips.txt': ['route_id,service_id,trip_id'],
    'stop_times.txt': ['trip_id,arrival_time,departure_time,stop_id,stop_sequence'],
    'calendar.txt': [
      'service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date',
      'daily,1,1,1,1,1,1,1,20200101,20991231',
    ],
    'operator.csv': ['currency', 'USD'],
    'vessels.csv': ['code,name,passengers', 'boat,Boat,149'],
    'passenger_types.csv': ['code,name', 'adult,Adult'],
    'fare_classes.csv': ['code,name', 'standard,Standard'],
    'fares.csv': ['fare_class,kind,passenger_type,amount', 'standard,passenger,adult,4.00'],
  };
  const add = (file: string, row: string) => files[file]?.push(row);
  for (let line = 0; line < lines; line += 1) {
    add('routes.txt', `line${line},Line ${line},4`);
    for (let stop = 0; stop < stops; stop += 1)
      add('stops.txt', `s${line}-${stop},Pier ${line} ${stop},40.7,-74`);
  }
  for (let trip = 0; trip < tripsPerDay; trip += 1) {
    const line = trip % lines;
    const start = 5 * 60 + Math.floor((trip * 17 * 60) / tripsPerDay);
    add('trips.txt', `line${line},daily,t${trip}`);
    for (let stop = 0; stop < stops; stop += 1) {
      const minute = start + stop * 12;
      const time = `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}:00`;
      add('stop_times.txt', `t${trip},${time},${time},s${line}-${stop},${stop + 1}`);
    }
  }
  for (const [name, rows] of Object.entries(files)) writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
}
