CREATE TABLE "cancellations" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"actor" text NOT NULL,
	"paid" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"refund" bigint NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cancellations_sums" CHECK ("cancellations"."fee" >= 0 and "cancellations"."refund" >= 0 and "cancellations"."fee" + "cancellations"."refund" <= "cancellations"."paid")
);
--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "cancellation_id" text;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "refund" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "cancellation_id" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "retry_of_id" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "cancellation_id" text;--> statement-breakpoint
ALTER TABLE "cancellations" ADD CONSTRAINT "cancellations_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cancellations_by_order" ON "cancellations" USING btree ("order_id");--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_cancellation_id_cancellations_id_fk" FOREIGN KEY ("cancellation_id") REFERENCES "public"."cancellations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_cancellation_id_cancellations_id_fk" FOREIGN KEY ("cancellation_id") REFERENCES "public"."cancellations"("id") ON DELETE no action ON UPDATE no action;