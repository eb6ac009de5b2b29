CREATE TABLE "pass_products" (
	"id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"terms" jsonb NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "pass_products_code_unique" UNIQUE("code")
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "coverage" jsonb;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "trips" jsonb;--> statement-breakpoint
ALTER TABLE "gate_charges" ADD COLUMN "unit" text DEFAULT 'money' NOT NULL;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "pass" jsonb;--> statement-breakpoint
ALTER TABLE "trip_card_set_asides" ADD COLUMN "coverage" jsonb;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD COLUMN "unit" text DEFAULT 'money' NOT NULL;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD COLUMN "pass" jsonb;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD COLUMN "notice_days" integer;--> statement-breakpoint
CREATE INDEX "trip_cards_expiring" ON "trip_cards" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD CONSTRAINT "trip_cards_pass" CHECK (("trip_cards"."unit" = 'trips') = ("trip_cards"."pass" is not null));