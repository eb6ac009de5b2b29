import { describe, expect, it } from 'vitest';
import { planFeed } from '#tests/factories/planned-feed.ts';
import { buildFeed, feedText, MONDAY } from '#tests/factories/timetable.ts';

function endOf(changes: Record<string, string | null>): {
  lastServiceDay: string | null;
  endsOn: string | null;
} {
  const { lastServiceDay, endsOn } = planFeed(buildFeed(changes), { now: new Date(MONDAY), days: 7 });
  return { lastServiceDay, endsOn };
}

function feedInfo(endDate: string): Record<string, string> {
  return {
    'feed_info.txt': `feed_publisher_name,feed_publisher_url,feed_lang,feed_end_date\nA,https://a.example,en,${endDate}\n`,
  };
}

describe('the last day of a feed', () => {
  it('is the last day of its calendar', () => {
    expect(endOf({})).toEqual({ lastServiceDay: '2027-12-31', endsOn: '2027-12-31' });
  });

  it('is the end date of feed_info.txt if that is earlier', () => {
    expect(endOf(feedInfo('20260710'))).toEqual({ lastServiceDay: '2027-12-31', endsOn: '2026-07-10' });
    expect(endOf(feedInfo('20290101')).endsOn).toBe('2027-12-31');
    expect(endOf(feedInfo('soon')).endsOn).toBe('2027-12-31');
  });

  it('respects weekdays, added and removed days', () => {
    const calendar = feedText('calendar.txt').replace('1,1,1,1,1,1,1', '1,1,1,1,1,0,0');
    const dates = (...rows: string[]) => ({
      'calendar.txt': calendar.replace('20271231', '20260628'),
      'calendar_dates.txt': ['service_id,date,exception_type', ...rows, ''].join('\n'),
    });
    // 28 June 2026 is a Sunday.
    expect(endOf(dates()).endsOn).toBe('2026-06-26');
    expect(endOf(dates('daily,20260626,2')).endsOn).toBe('2026-06-25');
    expect(endOf(dates('daily,20260704,1')).endsOn).toBe('2026-07-04');
    expect(endOf(dates('daily,20260601,1')).endsOn).toBe('2026-06-26');
  });

  it('is known for a feed that lists single days only', () => {
    const days = 'service_id,date,exception_type\ndaily,20260603,1\ndaily,20260609,1\n';
    expect(endOf({ 'calendar.txt': null, 'calendar_dates.txt': days }).endsOn).toBe('2026-06-09');
  });
});
