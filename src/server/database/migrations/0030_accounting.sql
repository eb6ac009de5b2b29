CREATE TABLE "closed_months" (
	"month" text PRIMARY KEY NOT NULL,
	"closed_at" timestamp (3) with time zone NOT NULL,
	"closed_by" text NOT NULL,
	"reports" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "money_entries" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "money_entries_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" text,
	"top_up_id" text,
	"refund_id" text,
	"payment_id" text,
	"method" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"staff_id" text,
	"booked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "money_entries_of_one" CHECK (num_nonnulls("money_entries"."order_id", "money_entries"."top_up_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "sale_entries" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sale_entries_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" text NOT NULL,
	"line_id" text,
	"cause" text NOT NULL,
	"sailing_id" text,
	"route" text NOT NULL,
	"travel_day" date,
	"kind" text NOT NULL,
	"item" text,
	"type_code" text,
	"quantity" integer NOT NULL,
	"tax_bp" integer NOT NULL,
	"gross" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"currency" text NOT NULL,
	"booked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sale_entries_tax" CHECK (abs("sale_entries"."tax") <= abs("sale_entries"."gross") or "sale_entries"."gross" = 0)
);
--> statement-breakpoint
ALTER TABLE "money_entries" ADD CONSTRAINT "money_entries_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "money_entries" ADD CONSTRAINT "money_entries_top_up_id_top_ups_id_fk" FOREIGN KEY ("top_up_id") REFERENCES "public"."top_ups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_entries" ADD CONSTRAINT "sale_entries_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "money_entries_by_order" ON "money_entries" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "money_entries_by_time" ON "money_entries" USING btree ("booked_at");--> statement-breakpoint
CREATE INDEX "sale_entries_by_order" ON "sale_entries" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "sale_entries_by_time" ON "sale_entries" USING btree ("booked_at");--> statement-breakpoint
CREATE INDEX "sale_entries_by_travel_day" ON "sale_entries" USING btree ("travel_day");
--> statement-breakpoint
CREATE FUNCTION accounting_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Only the removal of the demo deletes orders and top-ups, and their entries with them.
  IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' THEN
    IF TG_TABLE_NAME = 'sale_entries' AND NOT EXISTS (SELECT FROM orders WHERE id = OLD.order_id) THEN
      RETURN OLD;
    END IF;
    IF TG_TABLE_NAME = 'money_entries'
      AND NOT EXISTS (SELECT FROM orders WHERE id = to_jsonb(OLD) ->> 'order_id')
      AND NOT EXISTS (SELECT FROM top_ups WHERE id = to_jsonb(OLD) ->> 'top_up_id') THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'Accounting entries are append-only.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'accounting_entries_stay';
END
$$;
--> statement-breakpoint
CREATE TRIGGER sale_entries_stay BEFORE UPDATE OR DELETE ON sale_entries
  FOR EACH ROW EXECUTE FUNCTION accounting_entries_stay();
--> statement-breakpoint
CREATE TRIGGER sale_entries_stay_whole BEFORE TRUNCATE ON sale_entries
  FOR EACH STATEMENT EXECUTE FUNCTION accounting_entries_stay();
--> statement-breakpoint
CREATE TRIGGER money_entries_stay BEFORE UPDATE OR DELETE ON money_entries
  FOR EACH ROW EXECUTE FUNCTION accounting_entries_stay();
--> statement-breakpoint
CREATE TRIGGER money_entries_stay_whole BEFORE TRUNCATE ON money_entries
  FOR EACH STATEMENT EXECUTE FUNCTION accounting_entries_stay();
--> statement-breakpoint
CREATE FUNCTION book_payment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted boolean := TG_OP = 'UPDATE' AND OLD.status = 'succeeded';
  counts boolean := NEW.status = 'succeeded';
BEGIN
  IF counted IS DISTINCT FROM counts THEN
    INSERT INTO money_entries (order_id, payment_id, method, amount, currency, staff_id, booked_at)
    VALUES (NEW.order_id, NEW.id, CASE WHEN NEW.coverage IS NULL THEN NEW.method ELSE 'pass' END,
      CASE WHEN counts THEN NEW.amount ELSE -NEW.amount END, NEW.currency, NEW.staff_id, NEW.updated_at);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER book_payment AFTER INSERT OR UPDATE OF status ON payments
  FOR EACH ROW EXECUTE FUNCTION book_payment();
--> statement-breakpoint
CREATE FUNCTION refund_method(refund refunds) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN refund.trip_card_id IS NOT NULL THEN CASE WHEN refund.trips IS NULL THEN 'trip_card' ELSE 'pass' END
    WHEN refund.terminal_reference IS NOT NULL THEN 'terminal'
    WHEN refund.staff_id IS NOT NULL THEN 'cash'
    WHEN refund.reason = 'dispute' THEN 'dispute'
    ELSE CASE WHEN p.method = 'card' THEN 'card' ELSE 'cash' END
  END
  FROM payments p WHERE p.id = refund.payment_id
$$;
--> statement-breakpoint
CREATE FUNCTION book_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted boolean := TG_OP = 'UPDATE' AND OLD.status = 'succeeded';
  counts boolean := NEW.status = 'succeeded';
BEGIN
  IF counted IS DISTINCT FROM counts THEN
    INSERT INTO money_entries (order_id, refund_id, method, amount, currency, staff_id, booked_at)
    SELECT NEW.order_id, NEW.id, refund_method(NEW), CASE WHEN counts THEN -NEW.amount ELSE NEW.amount END,
      p.currency, NEW.staff_id, NEW.updated_at
    FROM payments p WHERE p.id = NEW.payment_id;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER book_refund AFTER INSERT OR UPDATE OF status ON refunds
  FOR EACH ROW EXECUTE FUNCTION book_refund();
--> statement-breakpoint
CREATE FUNCTION book_top_up() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted boolean := TG_OP = 'UPDATE' AND OLD.status = 'succeeded';
  counts boolean := NEW.status = 'succeeded';
BEGIN
  IF counted IS DISTINCT FROM counts THEN
    INSERT INTO money_entries (top_up_id, method, amount, currency, booked_at)
    VALUES (NEW.id, CASE WHEN NEW.status = 'disputed' OR (TG_OP = 'UPDATE' AND OLD.status = 'disputed')
      THEN 'dispute' ELSE 'card' END,
      CASE WHEN counts THEN NEW.amount ELSE -NEW.amount END, NEW.currency, NEW.updated_at);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER book_top_up AFTER INSERT OR UPDATE OF status ON top_ups
  FOR EACH ROW EXECUTE FUNCTION book_top_up();
--> statement-breakpoint
INSERT INTO sale_entries (
  order_id, line_id, cause, sailing_id, route, travel_day, kind, item, type_code, quantity, tax_bp, gross, tax, currency,
  booked_at
)
SELECT o.id, l.id, 'opening', l.sailing_id, r.code, s.service_date, l.kind, l.item, l.type_code,
  CASE WHEN l.status = 'active' AND l.kind NOT IN ('fee', 'discount') THEN l.quantity ELSE 0 END, l.tax_bp,
  l.amount - l.refund, CASE WHEN l.refund = 0 THEN l.tax ELSE trunc(l.tax::numeric * (l.amount - l.refund) / l.amount) END,
  o.currency, o.confirmed_at
FROM orders o
JOIN order_lines l ON l.order_id = o.id
JOIN sailings s ON s.id = l.sailing_id
JOIN routes r ON r.id = s.route_id
WHERE o.confirmed_at IS NOT NULL AND (l.amount <> l.refund OR l.status = 'active');
--> statement-breakpoint
INSERT INTO sale_entries (order_id, cause, route, kind, quantity, tax_bp, gross, tax, currency, booked_at)
SELECT o.id, 'opening', '', 'goodwill', 0, 0, -sum(r.amount), 0, o.currency, max(r.inserted_at)
FROM refunds r JOIN orders o ON o.id = r.order_id
WHERE o.confirmed_at IS NOT NULL AND r.reason = 'goodwill' AND r.retry_of_id IS NULL
GROUP BY o.id;
--> statement-breakpoint
INSERT INTO money_entries (order_id, payment_id, method, amount, currency, staff_id, booked_at)
SELECT order_id, id, CASE WHEN coverage IS NULL THEN method ELSE 'pass' END, amount, currency, staff_id, updated_at
FROM payments WHERE status = 'succeeded';
--> statement-breakpoint
INSERT INTO money_entries (order_id, refund_id, method, amount, currency, staff_id, booked_at)
SELECT r.order_id, r.id, refund_method(r), -r.amount, p.currency, r.staff_id, r.updated_at
FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE r.status = 'succeeded';
--> statement-breakpoint
INSERT INTO money_entries (top_up_id, method, amount, currency, booked_at)
SELECT id, 'card', amount, currency, completed_at FROM top_ups WHERE status = 'succeeded';
