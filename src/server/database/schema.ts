import * as accounting from './schema/accounting.ts';
import * as audit from './schema/audit.ts';
import * as cards from './schema/cards.ts';
import * as desk from './schema/desk.ts';
import * as exceptions from './schema/exceptions.ts';
import * as feedFiles from './schema/feed-files.ts';
import * as gate from './schema/gate.ts';
import * as holds from './schema/holds.ts';
import * as invoices from './schema/invoices.ts';
import * as passengerLists from './schema/passenger-lists.ts';
import * as people from './schema/people.ts';
import * as push from './schema/push.ts';
import * as rebookingOffers from './schema/rebooking-offers.ts';
import * as releases from './schema/releases.ts';
import * as sales from './schema/sales.ts';
import * as savedParty from './schema/saved-party.ts';
import * as sms from './schema/sms.ts';
import * as staff from './schema/staff.ts';
import * as system from './schema/system.ts';
import * as ticketShares from './schema/ticket-shares.ts';
import * as timetable from './schema/timetable.ts';
import * as tripCards from './schema/trip-cards.ts';

/** All tables, for the query builder. Other modules import the tables they use from the files themselves. */
export const schema = {
  ...timetable,
  ...feedFiles,
  ...exceptions,
  ...people,
  ...staff,
  ...audit,
  ...holds,
  ...sales,
  ...rebookingOffers,
  ...ticketShares,
  ...push,
  ...sms,
  ...gate,
  ...system,
  ...cards,
  ...tripCards,
  ...savedParty,
  ...passengerLists,
  ...desk,
  ...releases,
  ...accounting,
  ...invoices,
};
