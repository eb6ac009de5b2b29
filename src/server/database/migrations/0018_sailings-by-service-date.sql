DROP INDEX "sailings_by_day";--> statement-breakpoint
CREATE INDEX "sailings_by_service_date" ON "sailings" USING btree ("service_date");