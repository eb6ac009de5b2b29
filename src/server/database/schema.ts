import * as cards from './schema/cards.ts';
import * as exceptions from './schema/exceptions.ts';
import * as people from './schema/people.ts';
import * as rebookingOffers from './schema/rebooking-offers.ts';
import * as releases from './schema/releases.ts';
import * as sales from './schema/sales.ts';
import * as system from './schema/system.ts';
import * as ticketShares from './schema/ticket-shares.ts';
import * as timetable from './schema/timetable.ts';
import * as tripCards from './schema/trip-cards.ts';

/** All tables, for the query builder. Other modules import the tables they use from the files themselves. */
export const schema = {
  ...timetable,
  ...exceptions,
  ...people,
  ...sales,
  ...rebookingOffers,
  ...ticketShares,
  ...system,
  ...cards,
  ...tripCards,
  ...releases,
};
