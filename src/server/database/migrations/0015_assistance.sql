ALTER TABLE "orders" ADD COLUMN "assistance" jsonb;--> statement-breakpoint
ALTER TABLE "feed" ADD COLUMN "assistance_notice_hours" integer;--> statement-breakpoint
CREATE INDEX "orders_with_assistance" ON "orders" USING btree ("id") WHERE assistance is not null;