ALTER TABLE "sailing_offers" ADD COLUMN "open_ticket_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sailing_offers" ADD COLUMN "reminded_at" timestamp (3) with time zone;