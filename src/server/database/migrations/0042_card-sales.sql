CREATE TABLE "card_sales" (
	"id" text PRIMARY KEY NOT NULL,
	"staff_id" text NOT NULL,
	"method" text NOT NULL,
	"terminal_reference" text,
	"pass" jsonb,
	"cards" integer NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"taken_back_at" timestamp (3) with time zone,
	CONSTRAINT "card_sales_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "card_sales_positive" CHECK ("card_sales"."cards" > 0 and "card_sales"."amount" > 0),
	CONSTRAINT "card_sales_terminal" CHECK (("card_sales"."method" = 'terminal') = ("card_sales"."terminal_reference" is not null))
);
--> statement-breakpoint
ALTER TABLE "receipts" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "top_ups" ALTER COLUMN "by_customer_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "receipts" ADD COLUMN "card_sale_id" text;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "sale_id" text;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "taken_back_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "card_sales_by_time" ON "card_sales" USING btree ("inserted_at");--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_card_sale_id_card_sales_id_fk" FOREIGN KEY ("card_sale_id") REFERENCES "public"."card_sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_sale_id_card_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."card_sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "receipts_by_card_sale" ON "receipts" USING btree ("card_sale_id") WHERE card_sale_id is not null;--> statement-breakpoint
CREATE INDEX "top_ups_by_sale" ON "top_ups" USING btree ("sale_id") WHERE sale_id is not null;
--> statement-breakpoint
CREATE FUNCTION card_sales_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.taken_back_at IS NULL AND to_jsonb(NEW) - 'taken_back_at' = to_jsonb(OLD) - 'taken_back_at' THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'Sales of trip cards stay as they were.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'card_sales_stay';
END
$$;
--> statement-breakpoint
CREATE TRIGGER card_sales_stay BEFORE UPDATE OR DELETE ON card_sales
  FOR EACH ROW EXECUTE FUNCTION card_sales_stay();
--> statement-breakpoint
CREATE TRIGGER card_sales_stay_whole BEFORE TRUNCATE ON card_sales
  FOR EACH STATEMENT EXECUTE FUNCTION card_sales_stay();
--> statement-breakpoint
-- What is paid to staff or on an invoice is booked by the method of its sale.
CREATE OR REPLACE FUNCTION book_top_up() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted boolean := TG_OP = 'UPDATE' AND OLD.status = 'succeeded' AND OLD.taken_back_at IS NULL;
  counts boolean := NEW.status = 'succeeded' AND NEW.taken_back_at IS NULL;
  sale card_sales;
BEGIN
  IF counted IS DISTINCT FROM counts THEN
    SELECT * INTO sale FROM card_sales WHERE id = NEW.sale_id;
    INSERT INTO money_entries (top_up_id, method, amount, currency, staff_id, booked_at)
    VALUES (NEW.id, CASE WHEN NEW.status = 'disputed' OR (TG_OP = 'UPDATE' AND OLD.status = 'disputed')
      THEN 'dispute' ELSE coalesce(sale.method, 'card') END,
      CASE WHEN counts THEN NEW.amount ELSE -NEW.amount END, NEW.currency, sale.staff_id, NEW.updated_at);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER book_top_up AFTER INSERT OR UPDATE OF status, taken_back_at ON top_ups
  FOR EACH ROW EXECUTE FUNCTION book_top_up();
--> statement-breakpoint
-- What was taken back is no value of a pass any more.
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
  SELECT coalesce(sum(amount), 0) INTO paid FROM top_ups
  WHERE trip_card_id = ANY (cards) AND status = 'succeeded' AND taken_back_at IS NULL;
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
