CREATE TABLE "sailing_offers" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"way" text NOT NULL,
	"reason" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"sailing_ids" jsonb NOT NULL,
	"protected_sailing_ids" jsonb,
	"hold_id" text,
	"if_unanswered" text NOT NULL,
	"deadline" timestamp (3) with time zone NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sailing_offers_protected" CHECK (("sailing_offers"."hold_id" is null) = ("sailing_offers"."protected_sailing_ids" is null))
);
--> statement-breakpoint
ALTER TABLE "feed" ADD COLUMN "choice_hours" integer DEFAULT 72 NOT NULL;--> statement-breakpoint
ALTER TABLE "feed" ADD COLUMN "choice_delay_minutes" integer DEFAULT 90 NOT NULL;--> statement-breakpoint
ALTER TABLE "sailing_offers" ADD CONSTRAINT "sailing_offers_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailing_offers" ADD CONSTRAINT "sailing_offers_hold_id_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."holds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sailing_offers_by_order" ON "sailing_offers" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "sailing_offers_due" ON "sailing_offers" USING btree ("deadline") WHERE status = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "sailing_offers_one_open" ON "sailing_offers" USING btree ("order_id","way") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "orders_of_canceled_sailings" ON "orders" USING btree ("id") WHERE needs_attention = 'sailing_cancelled';