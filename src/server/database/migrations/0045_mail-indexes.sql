CREATE INDEX "mails_by_order" ON "mails" USING btree ("order_id") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX "mails_by_address" ON "mails" USING btree (lower(to_address));