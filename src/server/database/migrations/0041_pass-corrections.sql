ALTER TABLE "breakage_entries" ADD COLUMN "account" text DEFAULT 'breakage' NOT NULL;
--> statement-breakpoint
CREATE FUNCTION book_pass_value() RETURNS trigger LANGUAGE plpgsql AS $$
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
  SELECT coalesce(sum(amount), 0) INTO paid FROM top_ups
  WHERE trip_card_id = ANY (cards) AND status = 'succeeded';
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
--> statement-breakpoint
CREATE TRIGGER book_pass_value AFTER INSERT ON money_entries
  FOR EACH ROW WHEN (NEW.method = 'pass') EXECUTE FUNCTION book_pass_value();
--> statement-breakpoint
-- What trips have paid beyond the value of their passes until now.
WITH RECURSIVE chain AS (
  SELECT id AS root, id, replaced_by_card_id FROM trip_cards WHERE unit = 'trips' AND replaces_card_id IS NULL
  UNION ALL
  SELECT chain.root, c.id, c.replaced_by_card_id FROM trip_cards c JOIN chain ON c.id = chain.replaced_by_card_id
),
changes AS (
  SELECT chain.root, t.amount FROM chain JOIN top_ups t ON t.trip_card_id = chain.id AND t.status = 'succeeded'
  UNION ALL
  SELECT chain.root, -m.amount
  FROM chain
  JOIN payments p ON p.trip_card_id = chain.id
  JOIN money_entries m ON m.order_id = p.order_id AND m.method = 'pass'
  LEFT JOIN refunds r ON r.id = m.refund_id
  WHERE p.id = coalesce(m.payment_id, r.payment_id)
)
INSERT INTO breakage_entries (trip_card_id, account, trips, amount, currency, booked_at)
SELECT root, 'corrections', 0, sum(amount), (SELECT currency FROM trip_cards WHERE id = root), now()
FROM changes GROUP BY root HAVING sum(amount) < 0;
