CREATE TABLE "trip_card_set_asides" (
	"payment_id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"trip_card_id" text NOT NULL,
	"by_customer_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"status" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_card_set_asides_positive" CHECK ("trip_card_set_asides"."amount" > 0)
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "trip_card_id" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "trip_card_id" text;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD COLUMN "held" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trip_card_set_asides" ADD CONSTRAINT "trip_card_set_asides_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_set_asides" ADD CONSTRAINT "trip_card_set_asides_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_set_asides" ADD CONSTRAINT "trip_card_set_asides_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "trip_card_set_asides_held" ON "trip_card_set_asides" USING btree ("trip_card_id") WHERE status = 'held';--> statement-breakpoint
CREATE UNIQUE INDEX "trip_card_set_asides_one_per_order" ON "trip_card_set_asides" USING btree ("order_id") WHERE status <> 'released';--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_trip_card" CHECK (("payments"."method" = 'trip_card') = ("payments"."trip_card_id" is not null));--> statement-breakpoint
ALTER TABLE "trip_cards" ADD CONSTRAINT "trip_cards_held" CHECK ("trip_cards"."held" between 0 and "trip_cards"."balance");--> statement-breakpoint
-- What is held of a card is the sum of what is set aside and neither spent nor free again.
CREATE FUNCTION trip_card_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE trip_cards c SET version = version + 1, held = (
      SELECT coalesce(sum(amount), 0) FROM trip_card_set_asides s
      WHERE s.trip_card_id = c.id AND s.status = 'held'
    )
    WHERE c.id = NEW.trip_card_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER trip_card_held AFTER INSERT OR UPDATE ON trip_card_set_asides
  FOR EACH ROW EXECUTE FUNCTION trip_card_held();
