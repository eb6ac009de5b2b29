ALTER TABLE "top_ups" DROP CONSTRAINT "top_ups_receipt";--> statement-breakpoint
ALTER TABLE "trip_card_debts" ALTER COLUMN "device_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ALTER COLUMN "device_seq" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD COLUMN "top_up_id" text;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_top_up_id_top_ups_id_fk" FOREIGN KEY ("top_up_id") REFERENCES "public"."top_ups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_top_up_id_unique" UNIQUE("top_up_id");--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_receipt" CHECK (("top_ups"."status" in ('succeeded', 'disputed')) = ("top_ups"."receipt_number" is not null and "top_ups"."completed_at" is not null));--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_of_one" CHECK (num_nonnulls("trip_card_debts"."device_id", "trip_card_debts"."device_seq") = case when "trip_card_debts"."top_up_id" is null then 2 else 0 end);