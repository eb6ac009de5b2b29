ALTER TABLE "top_ups" ADD COLUMN "disputed_amount" bigint;--> statement-breakpoint
CREATE OR REPLACE FUNCTION book_top_up() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted boolean := TG_OP = 'UPDATE' AND OLD.status = 'succeeded' AND OLD.taken_back_at IS NULL;
  counts boolean := NEW.status = 'succeeded' AND NEW.taken_back_at IS NULL;
  value bigint := NEW.amount;
  sale card_sales;
BEGIN
  IF counted IS DISTINCT FROM counts THEN
    -- A dispute may be about a part, and its end gives back what it took.
    IF NEW.status = 'disputed' THEN
      value := coalesce(NEW.disputed_amount, NEW.amount);
    ELSIF TG_OP = 'UPDATE' AND OLD.status = 'disputed' THEN
      value := coalesce(OLD.disputed_amount, OLD.amount);
    END IF;
    SELECT * INTO sale FROM card_sales WHERE id = NEW.sale_id;
    INSERT INTO money_entries (top_up_id, method, amount, currency, staff_id, booked_at)
    VALUES (NEW.id, CASE WHEN NEW.status = 'disputed' OR (TG_OP = 'UPDATE' AND OLD.status = 'disputed')
      THEN 'dispute' ELSE coalesce(sale.method, 'card') END,
      CASE WHEN counts THEN value ELSE -value END, NEW.currency, sale.staff_id, NEW.updated_at);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- What a dispute left of a purchase is value of its pass.
CREATE OR REPLACE FUNCTION book_pass_value() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  cards text[];
  paid bigint;
  spent bigint;
  corrected bigint;
  correction bigint;
BEGIN
  -- The card that paid, with those that it replaced and those that replaced it: the first one comes first.
  WITH RECURSIVE earlier AS (
    SELECT c.id, c.replaces_card_id FROM payments p JOIN trip_cards c ON c.id = p.trip_card_id
    WHERE p.id = coalesce(NEW.payment_id, (SELECT payment_id FROM refunds WHERE id = NEW.refund_id))
    UNION ALL
    SELECT c.id, c.replaces_card_id FROM trip_cards c JOIN earlier e ON c.id = e.replaces_card_id
  ),
  chain AS (
    SELECT id, 1 AS place FROM earlier WHERE replaces_card_id IS NULL
    UNION ALL
    SELECT c.replaced_by_card_id, chain.place + 1 FROM trip_cards c JOIN chain ON chain.id = c.id
    WHERE c.replaced_by_card_id IS NOT NULL
  )
  SELECT array_agg(id ORDER BY place) INTO cards FROM chain;
  SELECT coalesce(sum(amount - CASE WHEN status = 'disputed' THEN coalesce(disputed_amount, amount) ELSE 0 END), 0)
  INTO paid FROM top_ups
  WHERE trip_card_id = ANY (cards) AND status IN ('succeeded', 'disputed') AND taken_back_at IS NULL;
  SELECT coalesce(sum(m.amount), 0) INTO spent
  FROM payments p
  JOIN money_entries m ON m.order_id = p.order_id AND m.method = 'pass' AND m.seq < NEW.seq
  LEFT JOIN refunds r ON r.id = m.refund_id
  WHERE p.trip_card_id = ANY (cards) AND p.id = coalesce(m.payment_id, r.payment_id);
  SELECT coalesce(-sum(amount), 0) INTO corrected FROM breakage_entries
  WHERE trip_card_id = cards[1] AND account = 'corrections';
  -- Trips that are given back first take back what was booked for trips beyond the value.
  correction := CASE
    WHEN NEW.amount > 0 THEN greatest(0, NEW.amount - greatest(0, paid - spent + corrected))
    ELSE -least(-NEW.amount, corrected)
  END;
  IF correction <> 0 THEN
    INSERT INTO breakage_entries (trip_card_id, account, trips, amount, currency, booked_at)
    VALUES (cards[1], 'corrections', 0, -correction, NEW.currency, NEW.booked_at);
  END IF;
  RETURN NULL;
END
$$;
