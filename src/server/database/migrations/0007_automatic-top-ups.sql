CREATE TABLE "auto_top_ups" (
	"trip_card_id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"threshold" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"payment_card_id" text NOT NULL,
	"max_per_day" integer NOT NULL,
	"state" text NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp (3) with time zone,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "auto_top_ups_positive" CHECK ("auto_top_ups"."threshold" > 0 and "auto_top_ups"."amount" > 0),
	CONSTRAINT "auto_top_ups_per_day" CHECK ("auto_top_ups"."max_per_day" between 1 and 5)
);
--> statement-breakpoint
ALTER TABLE "auto_top_ups" ADD CONSTRAINT "auto_top_ups_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_top_ups" ADD CONSTRAINT "auto_top_ups_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "auto_top_ups_due" ON "auto_top_ups" USING btree ("try_at") WHERE state = 'ok' and try_at is not null;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_of_charge" FOREIGN KEY ("device_id","device_seq") REFERENCES "public"."gate_charges"("device_id","device_seq") ON DELETE no action ON UPDATE no action;