import { sql } from 'drizzle-orm';
import { lockHeldPlaces, sellLockedPlaces } from '../capacity/places.ts';
import { sailingsInUse } from '../capacity/take-places.ts';
import { newId } from '../core/ids.ts';
import { batched } from '../database/batched.ts';
import type { Database } from '../database/database.ts';
import { changedFacts, encodeFacts, type KnownFacts } from '../database/facts-version.ts';
import { jsonElements } from '../database/json-elements.ts';
import { perDatabase } from '../database/per-database.ts';
import { prepareRows } from '../database/prepare-rows.ts';
import type { HoldRow } from '../database/schema/sales.ts';
import { insertResponses, type StoredResponse } from '../http/idempotency.ts';
import type { OrderRecord } from '../orders/queries.ts';
import { insertTickets } from '../orders/sell-order.ts';
import { settingsVersion } from '../settings/web-settings.ts';
import type { buildLineRows } from './order-lines.ts';

export type OrderToInsert = Pick<OrderRecord, 'order' | 'lines' | 'tickets'> & {
  /** Of the price that the order has; the hold's must be the same. */
  fingerprint: string;
  capacity: ReturnType<typeof buildLineRows>['capacity'];
  /** Of the request, if it is stored with the order. */
  response: StoredResponse | undefined;
  /** What the order was made from, if it may have changed since. */
  known: KnownState | undefined;
};

export type KnownState = {
  hold: Pick<HoldRow, 'request' | 'expiresAt' | 'extended'>;
  facts: readonly KnownFacts[];
  settingsVersion: string;
};

/**
 * `not_held`: the hold has ended or has another price, or what is known has changed. `promo_used_up`: the promo code has
 * fewer uses left than the orders of the statement need.
 */
type Outcome = 'written' | 'not_held' | 'promo_used_up';

/**
 * Writes order, lines, their capacity, the use of the promo code and the response in one statement. A confirmed order also
 * consumes its hold, sells its places, issues its tickets and queues its mail. Orders of concurrent requests share a
 * statement and its commit. Rows are locked in the order of `database/transactions.ts`: hold, capacity, promo code.
 */
export async function insertOrder(db: Database, order: OrderToInsert): Promise<Outcome> {
  const outcome = await insertTogether(db)(order);
  // Alone the order gets the last use, if there is one.
  if (outcome !== 'promo_used_up') return outcome;
  const [alone = outcome] = await insertOrders(db, [order]);
  return alone;
}

const insertTogether = perDatabase((db) =>
  batched((orders: readonly OrderToInsert[]) => insertOrders(db, orders), {
    rowOf: ({ order }) => order.holdId,
    locks: { of: sailingsInUse(db), rowsOf: listSailingsSold },
  }),
);

/** Only a confirmed order changes the capacity of its sailings. */
function listSailingsSold({ order, capacity }: OrderToInsert): string[] {
  return order.status === 'confirmed' ? capacity.map(({ sailingId }) => sailingId) : [];
}

async function insertOrders(db: Database, orders: readonly OrderToInsert[]): Promise<Outcome[]> {
  const given = orders.map(({ order, known, ...parts }, place) => ({
    ...{ place, order, holdId: order.holdId, promoCode: order.promoCode, now: order.insertedAt },
    ...{ isConfirmed: order.status === 'confirmed', mailId: newId('mal') },
    ...{ known: known?.hold, settingsVersion: known?.settingsVersion },
    ...parts,
  }));
  const facts = encodeFacts(orders.map(({ known }) => known?.facts ?? []));
  const written = await statement(db)({ given: JSON.stringify(given), facts });
  return written.map(({ outcome }) => outcome);
}

/**
 * Locks each hold before it looks at its state: for both at once, the planner may choose the index of expiries and read all
 * active holds.
 */
const LOCK_HOLDS = sql`
  select g.place, g."promoCode", g."isConfirmed", h.*
  from (
    select * from given
    where place not in (select item from changed)
      and ("settingsVersion" is null or "settingsVersion" = (select ${settingsVersion}))
    order by "holdId"
  ) g cross join lateral (select * from holds where id = g."holdId" for no key update) h
  where h.status = 'active' and h.expires_at > g.now and h.price_fingerprint = g.fingerprint
    and (g.known is null or (h.request, h.expires_at, h.extended) = (
      g.known -> 'request', (g.known ->> 'expiresAt')::timestamptz, (g.known ->> 'extended')::boolean
    ))
`;

/** Locks the codes that have enough uses left, after the capacity. */
const LOCK_PROMO_CODES = sql`
  select c.id, u.code, u.uses
  from (
    select "promoCode" as code, count(*)::int as uses from held
    where "promoCode" is not null and (select count(*) from locked) >= 0
    group by "promoCode" order by "promoCode"
  ) u cross join lateral (
    select id from promo_codes
    where code = u.code and active and (max_redemptions is null or redeemed + u.uses <= max_redemptions)
    for no key update
  ) c
`;

const INSERT_ORDERS = sql`
  insert into orders (
    id, reference, status, payment_status, needs_attention, customer_id, hold_id, contact_name, contact_email,
    contact_phone, traveler_names, assistance, locale, vehicle, plate, currency, subtotal, discount, tax, total,
    promo_code, fare_class_code, fare_class_name, fare_policy, terms_version, terms_accepted_at, confirmed_at,
    version, inserted_at, updated_at
  )
  select o.id, o.reference, o.status, o."paymentStatus", o."needsAttention", o."customerId", o."holdId",
    o."contactName", o."contactEmail", o."contactPhone", o."travelerNames", o.assistance, o.locale, o.vehicle,
    o.plate, o.currency, o.subtotal, o.discount, o.tax, o.total, o."promoCode", o."fareClassCode",
    o."fareClassName", o."farePolicy", o."termsVersion", o."termsAcceptedAt", o."confirmedAt", o.version,
    o."insertedAt", o."updatedAt"
  from accepted, jsonb_to_record(accepted."order") as o (
    id text, reference text, status text, "paymentStatus" text, "needsAttention" text, "customerId" text,
    "holdId" text, "contactName" text, "contactEmail" text, "contactPhone" text, "travelerNames" jsonb,
    assistance jsonb, locale text, vehicle jsonb, plate text, currency text, subtotal bigint, discount bigint,
    tax bigint, total bigint, "promoCode" text, "fareClassCode" text, "fareClassName" text, "farePolicy" jsonb,
    "termsVersion" text, "termsAcceptedAt" timestamptz, "confirmedAt" timestamptz, version int,
    "insertedAt" timestamptz, "updatedAt" timestamptz
  )
`;

const INSERT_LINES = sql`
  insert into order_lines (
    id, order_id, position, leg, sailing_id, kind, type_code, description, quantity, unit_amount, amount, tax_bp, tax
  )
  select l.id, l."orderId", l.position, l.leg, l."sailingId", l.kind, l."typeCode", l.description, l.quantity,
    l."unitAmount", l.amount, l."taxBp", l.tax
  from accepted, jsonb_to_recordset(accepted.lines) as l (
    id text, "orderId" text, position int, leg text, "sailingId" text, kind text, "typeCode" text, description text,
    quantity int, "unitAmount" bigint, amount bigint, "taxBp" int, tax bigint
  )
`;

const INSERT_CAPACITY = sql`
  insert into line_capacity (line_id, sailing_id, resource, amount)
  select t."lineId", t."sailingId", t.resource, t.amount
  from accepted, jsonb_to_recordset(accepted.capacity) as t (
    "lineId" text, "sailingId" text, resource text, amount int
  )
`;

/** Each hold exists, so its row is found by index and updated; an update of many might scan the whole table. */
const CONSUME_HOLDS = sql`
  insert into holds (id, status, request, total, price_fingerprint, expires_at, expires_at_max, inserted_at)
  select h.id, h.status, h.request, h.total, h.price_fingerprint, h.expires_at, h.expires_at_max, h.inserted_at
  from held h join accepted on accepted.place = h.place and accepted."isConfirmed"
  order by h.id
  on conflict (id) do update set status = 'consumed'
`;

const INSERT_MAILS = sql`
  insert into mails (id, kind, to_address, order_id, status, try_at, inserted_at)
  select "mailId", 'order-confirmed', "order" ->> 'contactEmail', "order" ->> 'id', 'queued', now, now
  from accepted where "isConfirmed"
`;

const statement = perDatabase((db) =>
  prepareRows<{ outcome: Outcome }>(
    db,
    sql`
      with given as materialized (
        select g.* from ${jsonElements(sql.placeholder('given'))} as e (item), jsonb_to_record(e.item) as g (
          place int, "holdId" text, "promoCode" text, "isConfirmed" boolean, fingerprint text, now timestamptz,
          "mailId" text, "order" jsonb, lines jsonb, capacity jsonb, tickets jsonb, response jsonb,
          known jsonb, "settingsVersion" text
        )
      ),
      changed as materialized (${changedFacts(sql.placeholder('facts'))}),
      held as materialized (${LOCK_HOLDS}),
      locked as materialized (${lockHeldPlaces(sql`(select id from held where "isConfirmed")`)}),
      promo as materialized (${LOCK_PROMO_CODES}),
      redeemed as (
        update promo_codes c set redeemed = c.redeemed + promo.uses from promo where c.id = promo.id
      ),
      accepted as materialized (
        select given.* from given join held on held.place = given.place
        where given."promoCode" is null or exists (select from promo where promo.code = given."promoCode")
      ),
      inserted as (${INSERT_ORDERS}),
      lines as (${INSERT_LINES}),
      takes as (${INSERT_CAPACITY}),
      responses as (${insertResponses(sql`accepted`)}),
      consumed as (${CONSUME_HOLDS}),
      places as (
        ${sellLockedPlaces(sql`(select locked.* from locked join accepted on accepted."holdId" = locked.hold_id)`)}
      ),
      issued as (${insertTickets(sql`accepted`, sql`accepted.tickets`)}),
      mail as (${INSERT_MAILS})
      select case when accepted.place is not null then 'written'
                  when held.place is not null then 'promo_used_up' else 'not_held' end as outcome
      from given left join held on held.place = given.place left join accepted on accepted.place = given.place
      order by given.place
    `,
  ),
);
