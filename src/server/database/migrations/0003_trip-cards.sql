CREATE TABLE "gate_charges" (
	"device_id" text NOT NULL,
	"device_seq" integer NOT NULL,
	"number" text NOT NULL,
	"amount" bigint NOT NULL,
	"place" text NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"trip_card_id" text,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "gate_charges_device_id_device_seq_pk" PRIMARY KEY("device_id","device_seq"),
	CONSTRAINT "gate_charges_positive" CHECK ("gate_charges"."amount" > 0),
	CONSTRAINT "gate_charges_seq" CHECK ("gate_charges"."device_seq" >= 1)
);
--> statement-breakpoint
CREATE TABLE "top_ups" (
	"id" text PRIMARY KEY NOT NULL,
	"trip_card_id" text NOT NULL,
	"seq" integer NOT NULL,
	"by_customer_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"trigger" text NOT NULL,
	"payment_card_id" text,
	"status" text NOT NULL,
	"provider_reference" text,
	"failure_code" text,
	"declined_charges" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"started_from" text NOT NULL,
	"receipt_number" text,
	"idempotency_key" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "top_ups_provider_reference_unique" UNIQUE("provider_reference"),
	CONSTRAINT "top_ups_receipt_number_unique" UNIQUE("receipt_number"),
	CONSTRAINT "top_ups_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "top_ups_seq" UNIQUE("trip_card_id","seq"),
	CONSTRAINT "top_ups_positive" CHECK ("top_ups"."amount" > 0),
	CONSTRAINT "top_ups_receipt" CHECK (("top_ups"."status" = 'succeeded') = ("top_ups"."receipt_number" is not null and "top_ups"."completed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "trip_card_blocks" (
	"trip_card_id" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone,
	CONSTRAINT "trip_card_blocks_trip_card_id_from_at_pk" PRIMARY KEY("trip_card_id","from_at"),
	CONSTRAINT "trip_card_blocks_forward" CHECK ("trip_card_blocks"."until_at" >= "trip_card_blocks"."from_at")
);
--> statement-breakpoint
CREATE TABLE "trip_card_debts" (
	"id" text PRIMARY KEY NOT NULL,
	"device_id" text NOT NULL,
	"device_seq" integer NOT NULL,
	"trip_card_id" text,
	"reason" text NOT NULL,
	"amount" bigint NOT NULL,
	"settled" bigint DEFAULT 0 NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_card_debts_charge" UNIQUE("device_id","device_seq"),
	CONSTRAINT "trip_card_debts_settled" CHECK ("trip_card_debts"."settled" between 0 and "trip_card_debts"."amount"),
	CONSTRAINT "trip_card_debts_positive" CHECK ("trip_card_debts"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "trip_card_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"trip_card_id" text NOT NULL,
	"seq" integer NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"balance_after" bigint NOT NULL,
	"order_id" text,
	"top_up_id" text,
	"transfer_id" text,
	"description" text NOT NULL,
	"place" text,
	"idempotency_key" text NOT NULL,
	"actor" text NOT NULL,
	"by_customer_id" text,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_card_entries_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "trip_card_entries_seq" UNIQUE("trip_card_id","seq"),
	CONSTRAINT "trip_card_entries_not_nothing" CHECK ("trip_card_entries"."amount" <> 0),
	CONSTRAINT "trip_card_entries_not_negative" CHECK ("trip_card_entries"."balance_after" >= 0)
);
--> statement-breakpoint
CREATE TABLE "trip_card_shares" (
	"id" text PRIMARY KEY NOT NULL,
	"trip_card_id" text NOT NULL,
	"email" text NOT NULL,
	"customer_id" text,
	"role" text NOT NULL,
	"daily_limit" bigint,
	"status" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_card_shares_limit" CHECK ("trip_card_shares"."daily_limit" > 0),
	CONSTRAINT "trip_card_shares_active_have_one" CHECK ("trip_card_shares"."status" <> 'active' or "trip_card_shares"."customer_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "trip_card_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"from_card_id" text NOT NULL,
	"to_card_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_card_transfers_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "trip_card_transfers_positive" CHECK ("trip_card_transfers"."amount" > 0),
	CONSTRAINT "trip_card_transfers_move" CHECK ("trip_card_transfers"."from_card_id" <> "trip_card_transfers"."to_card_id")
);
--> statement-breakpoint
CREATE TABLE "trip_cards" (
	"id" text PRIMARY KEY NOT NULL,
	"number" text NOT NULL,
	"name" text NOT NULL,
	"customer_id" text,
	"pin_hash" text,
	"status" text DEFAULT 'active' NOT NULL,
	"currency" text NOT NULL,
	"balance" bigint DEFAULT 0 NOT NULL,
	"entry_count" integer DEFAULT 0 NOT NULL,
	"low_balance_at" bigint,
	"low_balance_told" boolean DEFAULT false NOT NULL,
	"replaces_card_id" text,
	"replaced_by_card_id" text,
	"last_used_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_cards_number_unique" UNIQUE("number"),
	CONSTRAINT "trip_cards_number" CHECK ("trip_cards"."number" ~ '^[0-9]{16}$'),
	CONSTRAINT "trip_cards_not_negative" CHECK ("trip_cards"."balance" >= 0),
	CONSTRAINT "trip_cards_lost_are_empty" CHECK ("trip_cards"."status" <> 'lost' or "trip_cards"."balance" = 0)
);
--> statement-breakpoint
ALTER TABLE "gate_charges" ADD CONSTRAINT "gate_charges_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_blocks" ADD CONSTRAINT "trip_card_blocks_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_entries" ADD CONSTRAINT "trip_card_entries_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_entries" ADD CONSTRAINT "trip_card_entries_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_entries" ADD CONSTRAINT "trip_card_entries_top_up_id_top_ups_id_fk" FOREIGN KEY ("top_up_id") REFERENCES "public"."top_ups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_entries" ADD CONSTRAINT "trip_card_entries_transfer_id_trip_card_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."trip_card_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_shares" ADD CONSTRAINT "trip_card_shares_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_shares" ADD CONSTRAINT "trip_card_shares_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_transfers" ADD CONSTRAINT "trip_card_transfers_from_card_id_trip_cards_id_fk" FOREIGN KEY ("from_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_transfers" ADD CONSTRAINT "trip_card_transfers_to_card_id_trip_cards_id_fk" FOREIGN KEY ("to_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD CONSTRAINT "trip_cards_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD CONSTRAINT "trip_cards_replaces_card_id_trip_cards_id_fk" FOREIGN KEY ("replaces_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD CONSTRAINT "trip_cards_replaced_by_card_id_trip_cards_id_fk" FOREIGN KEY ("replaced_by_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "top_ups_open" ON "top_ups" USING btree ("updated_at") WHERE status in ('created', 'requires_action', 'processing');--> statement-breakpoint
CREATE INDEX "top_ups_by_origin" ON "top_ups" USING btree ("started_from","updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "trip_card_blocks_one_open" ON "trip_card_blocks" USING btree ("trip_card_id") WHERE until_at is null;--> statement-breakpoint
CREATE INDEX "trip_card_debts_open" ON "trip_card_debts" USING btree ("trip_card_id") WHERE settled < amount;--> statement-breakpoint
CREATE UNIQUE INDEX "trip_card_entries_one_per_top_up" ON "trip_card_entries" USING btree ("top_up_id") WHERE kind = 'top_up';--> statement-breakpoint
CREATE INDEX "trip_card_entries_by_customer" ON "trip_card_entries" USING btree ("trip_card_id","by_customer_id","occurred_at");--> statement-breakpoint
CREATE UNIQUE INDEX "trip_card_shares_one" ON "trip_card_shares" USING btree ("trip_card_id","email") WHERE status <> 'revoked';--> statement-breakpoint
CREATE INDEX "trip_card_shares_by_email" ON "trip_card_shares" USING btree ("email");--> statement-breakpoint
CREATE INDEX "trip_card_shares_by_customer" ON "trip_card_shares" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "trip_cards_by_customer" ON "trip_cards" USING btree ("customer_id","inserted_at");