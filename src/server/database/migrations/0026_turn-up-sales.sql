ALTER TABLE "queue_entries" ADD COLUMN "sale" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "sold_by" text;--> statement-breakpoint
CREATE INDEX "orders_without_email" ON "orders" USING btree ("inserted_at") WHERE contact_email = '' and (contact_name <> '' or contact_phone <> '' or plate is not null);