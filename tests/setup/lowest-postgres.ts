import { existsSync } from 'node:fs';
import { LOWEST_POSTGRES } from '../../src/server/database/server-version.ts';

/** Where the packages of Debian, Red Hat and Homebrew put the programs of one version. */
const FOLDERS = [
  `/usr/lib/postgresql/${LOWEST_POSTGRES}/bin`,
  `/usr/pgsql-${LOWEST_POSTGRES}/bin`,
  `/opt/homebrew/opt/postgresql@${LOWEST_POSTGRES}/bin`,
];

/** The folder with the programs of the oldest supported PostgreSQL; null if it is not installed. */
export function findLowestPostgres(): string | null {
  return FOLDERS.find((folder) => existsSync(`${folder}/initdb`)) ?? null;
}
