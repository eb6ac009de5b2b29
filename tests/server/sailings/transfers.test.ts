import { describe, expect, test } from 'vitest';
import { planFeed } from '#tests/factories/planned-feed.ts';
import { buildFeed, MONDAY } from '#tests/factories/timetable.ts';

const HEADER = 'from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_route_id\n';

function readTransferMinutes(changes: Record<string, string | null>) {
  const { ports, skipped: notes } = planFeed(buildFeed(changes), { now: new Date(MONDAY), days: 7 });
  const minutes = Object.fromEntries(ports.map((port) => [port.gtfsStopId, port.transferMinutes]));
  return { minutes, notes };
}

describe('the minutes to change boats', () => {
  test('are twenty where no file says otherwise', () => {
    expect(readTransferMinutes({}).minutes).toEqual({ north: 20, south: 20 });
  });

  test('come from ports.csv, then transfers.txt, then operator.csv', () => {
    const { minutes } = readTransferMinutes({
      'operator.csv': 'currency,transfer_minutes\nUSD,30\n',
      'transfers.txt': `${HEADER}north,north,2,601,\n`,
    });
    expect(minutes).toEqual({ north: 11, south: 30 });
    const own = readTransferMinutes({
      'operator.csv': 'currency,transfer_minutes\nUSD,no\n',
      'transfers.txt': `${HEADER}north,north,2,600,\n`,
      'ports.csv': 'stop_id,transfer_minutes\nnorth,45\n',
    });
    expect(own.minutes).toEqual({ north: 45, south: null });
  });

  test('are null where transfers.txt says that changes are not possible, whatever its other rows say', () => {
    const { minutes } = readTransferMinutes({
      'transfers.txt': `${HEADER}north,north,3,,\nnorth,north,2,300,\n`,
    });
    expect(minutes.north).toBeNull();
  });

  test('are those of the slowest of several rows; rows between ports and of one line are counted and not used', () => {
    const { minutes, notes } = readTransferMinutes({
      'transfers.txt': `${HEADER}north,north,2,300,\nnorth,north,2,900,\nnorth,south,2,60,\nnorth,north,2,9000,sound\n`,
    });
    expect(minutes).toEqual({ north: 15, south: 20 });
    expect(notes.join('\n')).toContain('transfers between ports or of one line (2): line 4, line 5');
  });
});
