CREATE TABLE "payout_items" (
	"id" text PRIMARY KEY NOT NULL,
	"payout_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"charged_amount" bigint,
	"charged_currency" text,
	"intent_reference" text,
	"refund_reference" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_items_charged_whole" CHECK (num_nonnulls("payout_items"."charged_amount", "payout_items"."charged_currency") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" text PRIMARY KEY NOT NULL,
	"is_live" boolean NOT NULL,
	"is_automatic" boolean NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"failure_code" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"arrives_on" date NOT NULL,
	"listed_at" timestamp (3) with time zone,
	"booked_on" date,
	"failed_on" date,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payouts_failed_booked" CHECK ("payouts"."failed_on" is null or "payouts"."booked_on" is not null)
);
--> statement-breakpoint
ALTER TABLE "payout_items" ADD CONSTRAINT "payout_items_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payout_items_by_payout" ON "payout_items" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "payout_items_by_intent" ON "payout_items" USING btree ("intent_reference");--> statement-breakpoint
CREATE INDEX "payouts_by_booking" ON "payouts" USING btree ("booked_on");
--> statement-breakpoint
CREATE FUNCTION payouts_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' AND NOT OLD.is_live THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE'
    AND (NEW.id, NEW.is_live, NEW.is_automatic, NEW.amount, NEW.currency, NEW.created_at)
      = (OLD.id, OLD.is_live, OLD.is_automatic, OLD.amount, OLD.currency, OLD.created_at)
    AND (OLD.listed_at IS NULL OR NEW.listed_at IS NOT DISTINCT FROM OLD.listed_at)
    AND (OLD.booked_on IS NULL OR NEW.booked_on IS NOT DISTINCT FROM OLD.booked_on)
    AND (OLD.failed_on IS NULL OR NEW.failed_on IS NOT DISTINCT FROM OLD.failed_on) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'Payouts stay as they were booked.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'payouts_stay';
END
$$;
--> statement-breakpoint
CREATE TRIGGER payouts_stay BEFORE UPDATE OR DELETE ON payouts
  FOR EACH ROW EXECUTE FUNCTION payouts_stay();
--> statement-breakpoint
CREATE TRIGGER payouts_stay_whole BEFORE TRUNCATE ON payouts
  FOR EACH STATEMENT EXECUTE FUNCTION payouts_stay();
--> statement-breakpoint
CREATE FUNCTION payout_items_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Items go with their payout.
  IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' AND NOT EXISTS (SELECT FROM payouts WHERE id = OLD.payout_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'Items of payouts are append-only.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'payout_items_stay';
END
$$;
--> statement-breakpoint
CREATE TRIGGER payout_items_stay BEFORE UPDATE OR DELETE ON payout_items
  FOR EACH ROW EXECUTE FUNCTION payout_items_stay();
--> statement-breakpoint
CREATE TRIGGER payout_items_stay_whole BEFORE TRUNCATE ON payout_items
  FOR EACH STATEMENT EXECUTE FUNCTION payout_items_stay();
