ALTER TABLE "payments" ADD COLUMN "staff_id" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "staff_device" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "terminal_reference" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "staff_id" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "staff_device" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "terminal_reference" text;--> statement-breakpoint
CREATE INDEX "refunds_to_pay_out" ON "refunds" USING btree ("inserted_at") WHERE status = 'awaiting_payout';