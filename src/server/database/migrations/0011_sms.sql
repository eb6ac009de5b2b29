CREATE TABLE "sms_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"kind" text NOT NULL,
	"to_number" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp (3) with time zone NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "sms_messages" ADD CONSTRAINT "sms_messages_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sms_messages_queued" ON "sms_messages" USING btree ("status","try_at");--> statement-breakpoint
CREATE INDEX "sms_messages_by_order" ON "sms_messages" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "sms_messages_by_number" ON "sms_messages" USING btree ("to_number","sent_at");