ALTER TABLE "holds" ADD COLUMN "network" text;--> statement-breakpoint
CREATE INDEX "holds_of_network" ON "holds" USING btree ("network") WHERE status = 'active' and network is not null;