CREATE TABLE "ticket_shares" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"places" jsonb NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ticket_shares_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "ticket_shares" ADD CONSTRAINT "ticket_shares_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_shares_by_order" ON "ticket_shares" USING btree ("order_id");