ALTER TABLE "vehicle_measurements" ADD COLUMN "vehicle_type" text;--> statement-breakpoint
ALTER TABLE "vehicle_measurements" ADD COLUMN "due" bigint;--> statement-breakpoint
CREATE INDEX "vehicle_measurements_unpaid" ON "vehicle_measurements" USING btree ("inserted_at") WHERE outcome = 'unpaid';