import type { TestReply, TestServer } from '#tests/setup/server.ts';
import type { Contradiction } from './invariant-queries.ts';

/** A local time as presented: an event at a port of a sailing, or an instant in the zone of its port of departure. */
type Shown = {
  sailing: string;
  event: 'departs' | 'arrives' | 'calendar' | 'ended' | 'other';
  instant: string;
  shown: string;
};

/** Compares the local times of an order and its options with the database's own calculation in the zone of the port. */
export async function findWrongTimes(
  { database, request }: Pick<TestServer, 'database' | 'request'>,
  order: TestReply['body'],
): Promise<Contradiction[]> {
  const options = (await request('GET', `/api/orders/${order.id}/options`)).body.data;
  const calendar = await request('GET', `/api/orders/${order.id}/calendar.ics`);
  const shown = [...listTimes([order, options]), ...listCalendarTimes(calendar, order)];
  const wrong = await database.store.query<Shown>(
    `select x.*, at.instant as right_instant, at.zone from jsonb_to_recordset($1::jsonb)
       as x (sailing text, event text, instant timestamptz, shown text)
     join sailings s on s.id = x.sailing
     join routes r on r.id = s.route_id
     join ports o on o.id = r.origin_port_id
     join ports d on d.id = r.destination_port_id
     cross join lateral (
       select case x.event when 'other' then x.instant when 'arrives' then s.arrives_at
           when 'calendar' then s.departs_at + s.delay_minutes * interval '1 minute' else s.departs_at end as instant,
         case x.event when 'arrives' then d.time_zone when 'calendar' then 'UTC' when 'ended' then 'UTC' else o.time_zone end as zone
     ) at
     where x.instant <> at.instant or x.shown::timestamptz <> at.instant
       or left(x.shown, 19) <> to_char(at.instant at time zone at.zone, 'YYYY-MM-DD"T"HH24:MI:SS')`,
    [JSON.stringify(shown)],
  );
  return wrong.map((found) => ({ invariant: 9, found }));
}

/** The local times of all crossings and deadlines in an answer. */
function listTimes(answer: TestReply['body']): Shown[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const inside = Object.values(answer).flatMap(listTimes);
  const { sailing_id: sailing } = answer;
  if (typeof answer.departs_local === 'string' && sailing) {
    inside.push(
      { sailing, event: 'departs', instant: answer.departs_at, shown: answer.departs_local },
      { sailing, event: 'arrives', instant: answer.arrives_at, shown: answer.arrives_local },
      { sailing, event: 'other', instant: answer.check_in_closes_at, shown: answer.check_in_closes_local },
    );
  }
  if (typeof answer.deadline_local === 'string') {
    const from = { sailing: answer.booked[0].sailing_id, event: 'other' as const };
    inside.push({ ...from, instant: answer.deadline, shown: answer.deadline_local });
    const { until, until_local: shown } = answer.protected ?? {};
    if (until) inside.push({ ...from, instant: until, shown });
  }
  return inside;
}

/** The starts of the events of a calendar file, which are in UTC. Those of late boats are late, unless they have ended. */
function listCalendarTimes({ status, body }: TestReply, order: TestReply['body']): Shown[] {
  if (status !== 200) return [];
  const legs: TestReply['body'][] = [...order.legs, ...order.canceled_legs];
  return String(body)
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((event) => {
      const leg = legs.find((each) => event.includes(`UID:${order.reference}-${each.leg}@`));
      const [, day = '', time = ''] = /DTSTART:(\d{8})T(\d{6})Z/.exec(event) ?? [];
      const shown = `${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
      const hasEnded = event.includes('STATUS:CANCELLED');
      const delay = hasEnded ? 0 : leg?.delay_minutes * 60_000;
      const instant = leg && new Date(Date.parse(leg.departs_at) + delay).toISOString();
      return { sailing: leg?.sailing_id, event: hasEnded ? 'ended' : 'calendar', instant, shown };
    });
}
