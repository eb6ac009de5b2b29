ALTER TABLE "trip_card_debts" DROP CONSTRAINT "trip_card_debts_of_one";--> statement-breakpoint
ALTER TABLE "order_changes" ADD COLUMN "cancellation_fee" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "by_customer_id" text;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "refunds_count_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD COLUMN "refund_id" text;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_refund_id_unique" UNIQUE("refund_id");--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_of_one" CHECK (num_nonnulls("trip_card_debts"."device_id", "trip_card_debts"."device_seq") = case when num_nonnulls("trip_card_debts"."top_up_id", "trip_card_debts"."refund_id") = 0 then 2 else 0 end);