CREATE TABLE "order_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"actor" text NOT NULL,
	"status" text NOT NULL,
	"hold_id" text NOT NULL,
	"ways" jsonb NOT NULL,
	"ticket_ids" jsonb NOT NULL,
	"lines" jsonb NOT NULL,
	"traveler_names" jsonb,
	"fee" bigint NOT NULL,
	"difference" bigint NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_changes_hold_id_unique" UNIQUE("hold_id"),
	CONSTRAINT "order_changes_fee" CHECK ("order_changes"."fee" >= 0)
);
--> statement-breakpoint
ALTER TABLE "tickets" DROP CONSTRAINT "tickets_party";--> statement-breakpoint
DROP INDEX "trip_card_set_asides_one_per_order";--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "change_id" text;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "vehicle" jsonb;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "plate" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "change_id" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "change_id" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "change_id" text;--> statement-breakpoint
ALTER TABLE "order_changes" ADD CONSTRAINT "order_changes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_changes" ADD CONSTRAINT "order_changes_hold_id_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."holds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_changes_by_order" ON "order_changes" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "order_changes_one_open" ON "order_changes" USING btree ("order_id") WHERE status in ('held', 'awaiting_payment');--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_change_id_order_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."order_changes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_change_id_order_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."order_changes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_change_id_order_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."order_changes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_of_party" ON "tickets" USING btree ("order_id","leg","party_index") WHERE status not in ('replaced', 'cancelled');--> statement-breakpoint
CREATE UNIQUE INDEX "trip_card_set_asides_one_held" ON "trip_card_set_asides" USING btree ("order_id") WHERE status = 'held';