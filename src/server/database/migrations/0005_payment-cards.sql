CREATE TABLE "card_holders" (
	"customer_id" text PRIMARY KEY NOT NULL,
	"provider_reference" text NOT NULL,
	"mirrored_method" text,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "card_holders_provider_reference_unique" UNIQUE("provider_reference")
);
--> statement-breakpoint
CREATE TABLE "dropped_methods" (
	"provider_reference" text PRIMARY KEY NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"detached_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "payment_cards" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"provider_reference" text NOT NULL,
	"method_created_at" timestamp (3) with time zone NOT NULL,
	"fingerprint" text NOT NULL,
	"network" text NOT NULL,
	"funding" text NOT NULL,
	"last_four" text NOT NULL,
	"exp_month" integer NOT NULL,
	"exp_year" integer NOT NULL,
	"is_primary" boolean NOT NULL,
	"status" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_cards_month" CHECK ("payment_cards"."exp_month" between 1 and 12)
);
--> statement-breakpoint
ALTER TABLE "card_holders" ADD CONSTRAINT "card_holders_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_cards" ADD CONSTRAINT "payment_cards_customer_id_card_holders_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."card_holders"("customer_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_cards_by_customer" ON "payment_cards" USING btree ("customer_id","inserted_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_cards_one_primary" ON "payment_cards" USING btree ("customer_id") WHERE is_primary and status = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_cards_once" ON "payment_cards" USING btree ("customer_id","fingerprint","exp_year","exp_month") WHERE status = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_cards_reference" ON "payment_cards" USING btree ("provider_reference") WHERE status = 'active';