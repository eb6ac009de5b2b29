import { describe, expect, it } from 'vitest';
import type { FileError } from '#server/csv/problems.ts';
import { type Plan, planFeed } from '#tests/factories/planned-feed.ts';
import { buildFeed, MONDAY } from '#tests/factories/timetable.ts';

function plan(translations: string): Plan {
  const files = buildFeed({ 'translations.txt': translations });
  return planFeed(files, { now: new Date(MONDAY), days: 2 });
}

function namesOf({ ports, routes }: Plan) {
  return {
    north: ports.find(({ gtfsStopId }) => gtfsStopId === 'north')?.translations,
    line: routes[0]?.translations,
  };
}

const HEADER = 'table_name,field_name,language,translation,record_id,record_sub_id,field_value';

describe('translations.txt', () => {
  it('translates the name of a record', () => {
    const { north, line } = namesOf(
      plan(
        `${HEADER}\nstops,stop_name,de,Nordanleger,north,,\nroutes,route_long_name,nb,Over sundet,sound,,\n`,
      ),
    );
    expect(north).toEqual({ 'name@de': 'Nordanleger' });
    expect(line).toEqual({ 'lineName@nb': 'Over sundet' });
  });

  it('translates every record with a text, unless the record has a translation itself', () => {
    const { north, line } = namesOf(
      plan(
        [
          HEADER,
          'stops,stop_name,de,Nordanleger,north,,',
          'stops,stop_name,de,Nordpier,,,North Pier',
          'stops,stop_name,fr,Quai nord,,,North Pier',
          'routes,route_long_name,fr,À travers le détroit,,,Across the Sound',
          '',
        ].join('\n'),
      ),
    );
    expect(north).toEqual({ 'name@de': 'Nordanleger', 'name@fr': 'Quai nord' });
    expect(line).toEqual({ 'lineName@fr': 'À travers le détroit' });
  });

  it('is read in its older form', () => {
    const { north, line } = namesOf(
      plan(
        'trans_id,translation,lang\nNorth Pier,Nordanleger,DE\nAcross the Sound,Over sundet,no\nNorth Pier,,fr\n',
      ),
    );
    expect(north).toEqual({ 'name@de': 'Nordanleger' });
    expect(line).toEqual({ 'lineName@nb': 'Over sundet' });
  });

  it('may have tables that are not read, and names languages that the product does not have', () => {
    const { skipped, ...rest } = plan(
      `${HEADER}\nstops,stop_name,sv,Norra kajen,north,,\nagency,agency_name,de,Testfähren,a,,\nfeed_info,feed_publisher_name,de,Test,,,\n`,
    );
    expect(namesOf({ skipped, ...rest })).toEqual({ north: {}, line: {} });
    expect(skipped).toContain('not read: languages of translations.txt that the product does not have: sv');
  });

  it('is refused without a language or a table', () => {
    try {
      plan(`${HEADER}\nstops,stop_name,,Nordanleger,north,,\n,stop_name,de,Nordanleger,north,,\n`);
      expect.unreachable();
    } catch (error) {
      expect((error as FileError).problems).toMatchObject([
        { file: 'translations.txt', line: 2, column: 'language' },
        { file: 'translations.txt', line: 3, column: 'table_name' },
      ]);
    }
  });
});
